import type { Desafio, MetodoSegundoFator } from '@balcao/contract/entities/segundo-fator'
import { segundoFatorRoute } from '@balcao/contract/routes/segundo-fator'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { hasPasskeys } from '#shared/identity/has-passkeys.ts'
import { askPasskey } from '#shared/identity/passkey.ts'
import type { NewSession } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { CODE_LENGTH, CodeField } from '#shared/ui/code-field.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { TextField } from '#shared/ui/text-field.tsx'

type Proof = { readonly codigo: string } | { readonly recuperacao: string }

export interface SecondStepProps {
  readonly desafio: Desafio
  readonly onEnter: (session: NewSession) => Promise<void>
  readonly onBack: (expired: boolean) => void
}

const LONGEST_MS = 5 * 60_000

/** A browser with a wrong clock gets the whole time: the server decides anyway. */
function remainingMs(expiraEm: string): number {
  const left = Date.parse(expiraEm) - Date.now()
  return left > 0 && left < LONGEST_MS ? left : LONGEST_MS
}

function useSecondStep({ desafio: { desafio, expiraEm }, onEnter, onBack }: SecondStepProps) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => onBack(true), remainingMs(expiraEm))
    return () => clearTimeout(timer)
  }, [expiraEm, onBack])
  const attempt = async (enter: () => Promise<NewSession>): Promise<void> => {
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      await onEnter(await enter())
    } catch (failure) {
      if (failure instanceof ApiError && failure.codigo === 'desafioVencido') onBack(true)
      else setError(errorMessage(failure))
    }
    setBusy(false)
  }
  return {
    busy,
    error,
    clearError: () => setError(undefined),
    send: (proof: Proof) => attempt(() => call(segundoFatorRoute, { body: { desafio, ...proof } })),
    usePasskey: () =>
      attempt(async () => {
        const { credencial } = await askPasskey()
        return call(segundoFatorRoute, { body: { desafio, credencial } })
      }),
  }
}

const OTHER_WAY: Readonly<Record<MetodoSegundoFator, string>> = {
  totp: 'Usar o aplicativo de códigos',
  passkey: 'Usar a chave de acesso',
  recuperacao: 'Usar um código de recuperação',
}

export function SecondStep(props: SecondStepProps) {
  const { desafio, onBack } = props
  const ways = desafio.metodos.filter((way) => way !== 'passkey' || hasPasskeys())
  const [way, setWay] = useState<MetodoSegundoFator | undefined>(ways[0])
  const step = useSecondStep(props)
  const change = (next: MetodoSegundoFator): void => {
    step.clearError()
    setWay(next)
  }
  return (
    <div className="space-y-4">
      {way === undefined && (
        <Notice tone="espera" title="Nenhuma forma de confirmar funciona neste navegador">
          Entre pelo aparelho em que você cadastrou a chave de acesso. Se ele se perdeu, fale com quem administra a
          conta.
        </Notice>
      )}
      {way === 'totp' && <CodeForm {...step} />}
      {way === 'recuperacao' && <RecoveryForm {...step} />}
      {way === 'passkey' && <PasskeyStep {...step} />}
      <div className="grid gap-2">
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} size="touch" disabled={step.busy} onClick={() => change(other)}>
              {OTHER_WAY[other]}
            </Button>
          ))}
        <Button variant="ghost" size="touch" onClick={() => onBack(false)}>
          Voltar
        </Button>
      </div>
    </div>
  )
}

type StepProps = ReturnType<typeof useSecondStep>

function StepForm({ busy, onSend, children }: { busy: boolean; onSend: () => void; children: ReactNode }) {
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSend()
  }
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      {children}
      <Button type="submit" variant="primary" size="lg" busy={busy} className="w-full">
        {busy ? 'Entrando...' : 'Entrar'}
      </Button>
    </form>
  )
}

function CodeForm({ busy, error, send, clearError }: StepProps) {
  const [code, setCode] = useState('')
  const [short, setShort] = useState(false)
  const enter = async (codigo: string): Promise<void> => {
    setShort(codigo.length < CODE_LENGTH)
    if (codigo.length < CODE_LENGTH) return
    await send({ codigo })
    setCode('')
  }
  return (
    <StepForm busy={busy} onSend={() => void enter(code)}>
      {error !== undefined && <Notice tone="erro" title={error} />}
      <p className="text-muted">Abra o aplicativo de códigos no celular e digite o código do Balcão.</p>
      <CodeField
        focused
        disabled={busy}
        value={code}
        error={short ? 'O código tem 6 números' : undefined}
        onChange={(fresh) => {
          setCode(fresh)
          setShort(false)
          if (fresh !== '') clearError()
        }}
        onComplete={(fresh) => void enter(fresh)}
      />
    </StepForm>
  )
}

function RecoveryForm({ busy, error, send }: StepProps) {
  const [code, setCode] = useState('')
  const [empty, setEmpty] = useState(false)
  const enter = (): void => {
    setEmpty(code.trim() === '')
    if (code.trim() !== '') void send({ recuperacao: code })
  }
  return (
    <StepForm busy={busy} onSend={enter}>
      {error !== undefined && <Notice tone="erro" title={error} />}
      <TextField
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step's one field
        autoFocus
        label="Código de recuperação"
        name="recuperacao"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        required
        value={code}
        error={empty ? 'Digite o código de recuperação' : undefined}
        hint="Um dos dez códigos que você guardou. Cada um vale uma vez."
        className="min-h-12 font-mono"
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
    </StepForm>
  )
}

function PasskeyStep({ busy, error, usePasskey }: StepProps) {
  return (
    <>
      {error !== undefined && <Notice tone="erro" title={error} />}
      <p className="text-muted">Confirme com a digital, o rosto ou o PIN do aparelho.</p>
      <Button variant="primary" size="lg" busy={busy} className="w-full" onClick={() => void usePasskey()}>
        Confirmar com a chave de acesso
      </Button>
    </>
  )
}
