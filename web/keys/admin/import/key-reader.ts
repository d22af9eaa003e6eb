/** The worker that reads a file of keys. */
import { answerWork } from '../../../platform/files/answer-work.ts'
import { readKeyFile } from '../key-import.ts'

answerWork(readKeyFile)
