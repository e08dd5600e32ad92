import type { MetodoConfirmacao } from '@balcao/contract/entities/segundo-fator'
import { confirmarRoute } from '@balcao/contract/routes/segundo-fator'
import { type FormEvent, useState } from 'react'
import { call, type CallInput } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { hasPasskeys } from '#shared/identity/has-passkeys.ts'
import { askPasskey } from '#shared/identity/passkey.ts'
import { useStepUp } from '#shared/identity/step-up.ts'
import { TEXTS } from '#shared/texts.ts'
import { Button } from '#shared/ui/button.tsx'
import { CODE_LENGTH, CodeField } from '#shared/ui/code-field.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { FormActions } from '#shared/ui/form-actions.tsx'
import { initialFocus } from '#shared/form/initial-focus.ts'
import { Notice } from '#shared/ui/notice.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'

const OTHER_WAY: Readonly<Record<MetodoConfirmacao, string>> = {
  senha: 'Usar a senha',
  totp: 'Usar o aplicativo de códigos',
  passkey: 'Usar a chave de acesso',
}

type Proof = CallInput<typeof confirmarRoute>['body']

export function StepUpDialog() {
  const question = useStepUp()
  if (question === null) return null
  const { ways, finish } = question
  return (
    <Dialog open title="Confirme que é você" onClose={() => finish(false)}>
      <StepUpForm ways={ways} onDone={finish} />
    </Dialog>
  )
}

interface StepUpFormProps {
  readonly ways: readonly MetodoConfirmacao[]
  readonly onDone: (confirmed: boolean) => void
}

function useProof(onDone: (confirmed: boolean) => void) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const send = async (proof: () => Promise<Proof> | Proof): Promise<void> => {
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      await call(confirmarRoute, { body: await proof() })
      onDone(true)
    } catch (failure) {
      setError(errorMessage(failure))
    }
    setBusy(false)
  }
  return { busy, error, setError, send }
}

function StepUpForm({ ways, onDone }: StepUpFormProps) {
  const offered = ways.filter((way) => way !== 'passkey' || hasPasskeys())
  const [way, setWay] = useState<MetodoConfirmacao>(offered[0] ?? 'senha')
  const [typed, setTyped] = useState('')
  const { busy, error, setError, send } = useProof(onDone)
  const confirm = async (text: string): Promise<void> => {
    if (way === 'passkey') return send(async () => ({ credencial: (await askPasskey()).credencial }))
    if (way === 'senha' && text === '') return setError(TEXTS.senhaObrigatoria)
    if (way === 'totp' && text.length < CODE_LENGTH) return setError('O código tem 6 números')
    await send(() => (way === 'senha' ? { senha: text } : { codigo: text }))
    if (way === 'totp') setTyped('')
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void confirm(typed)
  }
  const choose = (next: MetodoConfirmacao): void => {
    setWay(next)
    setTyped('')
    setError(undefined)
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <p className="text-muted">
        Esta ação é delicada. Depois de confirmar, o painel não pergunta de novo por 10 minutos.
      </p>
      {error !== undefined && <Notice tone="erro" title={error} />}
      {way === 'senha' && (
        <PasswordField
          ref={initialFocus}
          label="Sua senha"
          autoComplete="current-password"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      {way === 'totp' && (
        <CodeField
          focused
          disabled={busy}
          value={typed}
          onChange={setTyped}
          onComplete={(code) => void confirm(code)}
        />
      )}
      {way === 'passkey' && <p>Confirme com a digital, o rosto ou o PIN do aparelho.</p>}
      {offered
        .filter((other) => other !== way)
        .map((other) => (
          <Button key={other} variant="ghost" size="touch" disabled={busy} onClick={() => choose(other)}>
            {OTHER_WAY[other]}
          </Button>
        ))}
      <FormActions onCancel={() => onDone(false)} busy={busy} submitLabel="Confirmar" />
    </form>
  )
}
