import { criarPasskeyRoute, opcoesNovaPasskeyRoute } from '@balcao/contract/routes/segundo-fator'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { makePasskey } from '#shared/identity/passkey.ts'
import { FormActions } from '#shared/ui/form-actions.tsx'
import { initialFocus } from '#shared/form/initial-focus.ts'
import { Notice } from '#shared/ui/notice.tsx'
import { TextField } from '#shared/ui/text-field.tsx'

export interface EnrolPasskeyProps {
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
