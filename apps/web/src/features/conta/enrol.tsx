import {
  confirmarTotpRoute,
  iniciarTotpRoute,
  criarPasskeyRoute,
  opcoesNovaPasskeyRoute,
} from '@balcao/contract/routes/segundo-fator'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { Button } from '#shared/ui/button.tsx'
import { CODE_LENGTH, CodeField } from '#shared/ui/code-field.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { CopyButton } from './recovery-codes.tsx'
import { makePasskey } from '#shared/identity/passkey.ts'
import { FormActions } from '#shared/ui/form-actions.tsx'
import { initialFocus } from '#shared/form/initial-focus.ts'
import { TextField } from '#shared/ui/text-field.tsx'

export function EnrolTotp({ onDone }: { onDone: (codes: readonly string[]) => void }) {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['conta', 'totp'],
    queryFn: () => call(iniciarTotpRoute, {}),
    // Each request makes a new secret, and the person may be scanning this one.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    networkMode: 'always',
  })
  if (data === undefined) {
    if (error !== null && !isFetching) return <ErrorState message={error.message} onRetry={() => void refetch()} />
    return (
      <div role="status" aria-label="Preparando o código" className="grid gap-3">
        <Skeleton className="mx-auto size-52" />
        <Skeleton />
      </div>
    )
  }
  const { segredo, uri, qr } = data
  return (
    <div className="grid gap-4">
      <ol className="list-decimal space-y-1 pl-5">
        <li>
          Instale um aplicativo de códigos no celular, como Google Authenticator, Microsoft Authenticator ou Aegis.
        </li>
        <li>No aplicativo, escaneie o desenho ou digite a chave.</li>
        <li>Digite aqui o código que aparece.</li>
      </ol>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(qr)}`}
        alt="QR Code para o aplicativo de códigos"
        className="mx-auto w-full max-w-52 rounded-xl bg-white"
      />
      <div className="rounded-card bg-sunken p-4">
        <p className="text-sm text-muted">Chave</p>
        <p className="mb-3 font-mono break-all">{segredo}</p>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={segredo} label="Copiar a chave" done="Chave copiada." />
          <a href={uri} className="btn btn-ghost btn-touch">
            Abrir no aplicativo deste aparelho
          </a>
        </div>
      </div>
      <FirstCode onDone={onDone} />
    </div>
  )
}

function FirstCode({ onDone }: { onDone: (codes: readonly string[]) => void }) {
  const [code, setCode] = useState('')
  const [short, setShort] = useState(false)
  const { mutate, isPending, error } = useMutation({
    networkMode: 'always',
    mutationFn: (codigo: string) => call(confirmarTotpRoute, { body: { codigo } }),
    onSuccess: ({ recuperacao }) => onDone(recuperacao),
    onError: () => setCode(''),
  })
  const send = (codigo: string): void => {
    setShort(codigo.length < CODE_LENGTH)
    if (codigo.length === CODE_LENGTH && !isPending) mutate(codigo)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    send(code)
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      {error !== null && <Notice tone="erro" title={error.message} />}
      <CodeField
        value={code}
        disabled={isPending}
        error={short ? 'O código tem 6 números' : undefined}
        onChange={setCode}
        onComplete={send}
      />
      <Button type="submit" variant="primary" size="touch" busy={isPending}>
        {isPending ? 'Conferindo…' : 'Ligar a verificação'}
      </Button>
    </form>
  )
}

interface EnrolPasskeyProps {
  /** Codes come with a first second factor. */
  readonly onDone: (codes: readonly string[] | undefined) => void
  readonly onCancel: () => void
}

export function EnrolPasskey({ onDone, onCancel }: EnrolPasskeyProps) {
  const [name, setName] = useState('')
  const [empty, setEmpty] = useState(false)
  const { mutate, isPending, error } = useMutation({
    networkMode: 'always',
    mutationFn: async (nome: string) => {
      const { opcoes } = await call(opcoesNovaPasskeyRoute, {})
      return call(criarPasskeyRoute, { body: { nome, credencial: await makePasskey(opcoes) } })
    },
    onSuccess: ({ recuperacao }) => onDone(recuperacao),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setEmpty(name.trim() === '')
    if (name.trim() !== '' && !isPending) mutate(name.trim())
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      {error !== null && <Notice tone="erro" title={error.message} />}
      <TextField
        ref={initialFocus}
        label="Nome da chave"
        autoComplete="off"
        maxLength={60}
        value={name}
        error={empty ? 'Dê um nome à chave' : undefined}
        hint="Como você reconhece o aparelho: Celular da Ana, Computador do caixa."
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <FormActions onCancel={onCancel} busy={isPending} submitLabel={isPending ? 'Esperando…' : 'Continuar'} />
    </form>
  )
}
