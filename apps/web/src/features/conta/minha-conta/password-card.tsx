import { SENHA_MINIMO } from '@balcao/contract/constants'
import { trocarSenhaRoute } from '@balcao/contract/routes/acesso'
import { type FormEvent, useRef, useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { TEXTS } from '#shared/texts.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { useRefetchSeguranca } from '#features/conta/seguranca-queries.ts'

interface Passwords {
  readonly senhaAtual: string
  readonly novaSenha: string
  readonly repetida: string
}

type Errors = Readonly<Partial<Record<keyof Passwords, string>>>

const EMPTY: Passwords = { senhaAtual: '', novaSenha: '', repetida: '' }

function check({ senhaAtual, novaSenha, repetida }: Passwords): Errors {
  if (senhaAtual === '') return { senhaAtual: TEXTS.senhaObrigatoria }
  if (novaSenha.length < SENHA_MINIMO) return { novaSenha: TEXTS.senhaCurta }
  return novaSenha === repetida ? {} : { repetida: TEXTS.senhasDiferentes }
}

function refusalOf(error: unknown): Errors {
  if (!(error instanceof ApiError)) throw error
  if (error.codigo === 'senhaAtualIncorreta') return { senhaAtual: error.message }
  const detail = error.dados.detalhes?.find(({ caminho }) => caminho === 'novaSenha')
  if (detail !== undefined) return { novaSenha: detail.mensagem }
  notify.erro(error.message)
  return {}
}

export function PasswordCard() {
  const [values, setValues] = useState(EMPTY)
  const [errors, setErrors] = useState<Errors>({})
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const refetch = useRefetchSeguranca()

  function refuse(found: Errors): boolean {
    setErrors(found)
    const [first] = Object.keys(found)
    if (first !== undefined) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    return first !== undefined
  }
  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy || refuse(check(values))) return
    setBusy(true)
    try {
      const { senhaAtual, novaSenha } = values
      await call(trocarSenhaRoute, { body: { senhaAtual, novaSenha } })
      setValues(EMPTY)
      refetch()
      notify.sucesso('Senha alterada. Os outros aparelhos saíram do painel.')
    } catch (error) {
      refuse(refusalOf(error))
    }
    setBusy(false)
  }
  const field = (name: keyof Passwords) => ({
    name,
    required: true,
    value: values[name],
    error: errors[name],
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      setValues({ ...values, [name]: currentTarget.value }),
  })

  return (
    <Card heading="Senha">
      <form ref={form} noValidate className="grid gap-4" onSubmit={(event) => void save(event)}>
        <PasswordField {...field('senhaAtual')} label="Senha atual" autoComplete="current-password" />
        <PasswordField
          {...field('novaSenha')}
          label="Nova senha"
          autoComplete="new-password"
          hint={`Pelo menos ${SENHA_MINIMO} caracteres.`}
        />
        <PasswordField {...field('repetida')} label="Repetir a nova senha" autoComplete="new-password" />
        <div>
          <Button type="submit" variant="primary" size="touch" busy={busy}>
            {busy ? 'Salvando…' : 'Trocar a senha'}
          </Button>
        </div>
      </form>
    </Card>
  )
}
