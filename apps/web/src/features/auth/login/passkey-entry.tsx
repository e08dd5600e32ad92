import { entrarPasskeyRoute } from '@balcao/contract/routes/segundo-fator'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { askPasskey } from '#shared/identity/passkey.ts'
import type { NewSession } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'

export interface PasskeyEntryProps {
  /** Reads 'Lembrar-me' at the time of the click. */
  readonly remember: () => boolean
  readonly onEnter: (session: NewSession) => Promise<void>
}

export function PasskeyEntry({ remember, onEnter }: PasskeyEntryProps) {
  const [busy, setBusy] = useState(false)
  const enter = async (): Promise<void> => {
    setBusy(true)
    try {
      const proof = await askPasskey()
      await onEnter(await call(entrarPasskeyRoute, { body: { ...proof, lembrar: remember() } }))
    } catch (error) {
      notify.erro(errorMessage(error))
    }
    setBusy(false)
  }
  return (
    <Button size="lg" busy={busy} className="mt-3 w-full" onClick={() => void enter()}>
      {!busy && <KeyRound size={18} aria-hidden />} Entrar com chave de acesso
    </Button>
  )
}
