/** A chosen file on its way to text: it may take seconds, and ask for a password, which stays here. */
import { useState } from 'react'
import { PasswordFault } from '../../../platform/files/file-fault.ts'
import { textOfFile, type FileText } from './text-of-file.ts'

interface Ends {
  onStart: () => void
  onText: (found: FileText) => void
  onFault: (error: unknown) => void
}

export function useChosenFile({ onStart, onText, onFault }: Ends) {
  /** The file, if it opens with a password. */
  const [locked, setLocked] = useState<Blob>()
  const [password, setPassword] = useState('')
  const [isReading, setIsReading] = useState(false)
  const forget = () => {
    setLocked(undefined)
    setPassword('')
  }
  const take = async (file: Blob, opensWith?: string) => {
    if (isReading) return
    onStart()
    setIsReading(true)
    try {
      const found = await textOfFile(file, opensWith)
      forget()
      onText(found)
    } catch (error) {
      if (error instanceof PasswordFault) setLocked(file)
      if (!(error instanceof PasswordFault) || error.isWrong) onFault(error)
    } finally {
      setIsReading(false)
    }
  }
  return {
    isReading,
    locked,
    password,
    setPassword,
    forget,
    take: (file: Blob) => take(file),
    unlock: () => locked && void take(locked, password),
  }
}
