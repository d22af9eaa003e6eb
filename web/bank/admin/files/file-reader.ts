/** The worker that reads a statement. */
import { answerWork } from '../../../platform/files/answer-work.ts'
import { readText } from './read-text.ts'

answerWork(readText)
