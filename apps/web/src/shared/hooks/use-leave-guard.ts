import { useState } from 'react'
import { useUnsavedGuard } from './use-unsaved-guard.ts'

/** Asks before a dialog with unsaved edits closes, and before the page is left. */
export function useLeaveGuard(changed: boolean, busy: boolean, onClose: () => void) {
  const guard = useUnsavedGuard(changed)
  const [closing, setClosing] = useState(false)
  return {
    tryClose: (): void => {
      if (busy) return
      if (changed) setClosing(true)
      else onClose()
    },
    question: {
      perguntando: closing || guard.perguntando,
      sair: closing ? onClose : guard.sair,
      ficar: (): void => {
        setClosing(false)
        guard.ficar()
      },
    },
  }
}
