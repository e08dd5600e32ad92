import { NOME_DO_PLANO, PLANOS, SENHA_MINIMO, type Plano } from '@balcao/contract/constants'
import { criarUsuarioRoute } from '@balcao/contract/routes/admin-usuarios'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ComponentProps, type FormEvent } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { maskPhone } from '#shared/format.ts'
import { describeLimits, limitsOfPlano } from '#shared/conta/plan-limits.ts'
import { TEXTS } from '#shared/texts.ts'
import { FormActions } from '#shared/ui/form-actions.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { Select } from '#shared/ui/select.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { notifyError } from './usuario-actions.ts'
import { refetchUsuarioLists } from '#features/admin/admin-queries.ts'

const EMPTY = { nome: '', email: '', telefone: '', empresa: '', senha: '' }
type ChosenPlano = Plano | ''
const PLANO_OPTIONS: readonly { readonly valor: ChosenPlano; readonly rotulo: string }[] = [
  { valor: '', rotulo: 'Sem plano aplicado (padrão)' },
  ...PLANOS.map((valor) => ({ valor, rotulo: NOME_DO_PLANO[valor] })),
]
const DEFAULT_LIMITS = 'O limite inicial das Configurações · IA incluída · menu sem limite'
type NewUsuarioField = keyof typeof EMPTY
type NewUsuarioFields = Readonly<Record<NewUsuarioField, string>>
type NewUsuarioErrors = Readonly<Partial<Record<NewUsuarioField, string>>>

/** The order matters: the first error gets the focus. */
function checkFields({ nome, email, senha }: NewUsuarioFields): NewUsuarioErrors {
  return {
    ...(nome.trim() === '' ? { nome: TEXTS.nomeObrigatorio } : {}),
    ...(email.trim() === '' ? { email: TEXTS.emailObrigatorio } : {}),
    ...(senha === ''
      ? { senha: TEXTS.senhaObrigatoria }
      : senha.length < SENHA_MINIMO
        ? { senha: TEXTS.senhaCurta }
        : {}),
  }
}

function errorsOf(error: unknown): NewUsuarioErrors {
  if (!(error instanceof ApiError)) return {}
  if (error.codigo === 'emailJaCadastrado') return { email: error.message }
  const details = error.dados.detalhes ?? []
  return Object.fromEntries(
    details.flatMap(({ caminho, mensagem }) => (Object.hasOwn(EMPTY, caminho) ? [[caminho, mensagem]] : [])),
  )
}

export function NewUsuario({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} title="Novo usuário" onClose={onClose} width="lg">
      <NewUsuarioForm onClose={onClose} />
    </Dialog>
  )
}

function useNewUsuarioForm(onClose: () => void) {
  const cache = useQueryClient()
  const [fields, setFields] = useState<NewUsuarioFields>(EMPTY)
  const [plano, setPlano] = useState<ChosenPlano>('')
  const [tipo, setTipo] = useState<'usuario' | 'admin'>('usuario')
  const [errors, setErrors] = useState<NewUsuarioErrors>({})
  const [busy, setBusy] = useState(false)

  const refuse = (form: HTMLFormElement, fresh: NewUsuarioErrors): boolean => {
    setErrors(fresh)
    const first = Object.keys(fresh)[0]
    if (first === undefined) return false
    form.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
    return true
  }
  const create = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = event.currentTarget
    if (refuse(form, checkFields(fields))) return
    setBusy(true)
    try {
      const telefone = fields.telefone.replace(/\D/g, '')
      const body = { ...fields, telefone, tipo, ...(tipo === 'admin' || plano === '' ? {} : { plano }) }
      const { usuario } = await call(criarUsuarioRoute, { body })
      refetchUsuarioLists(cache)
      notify.sucesso(`Usuário criado com sucesso!\n${usuario.nome}`)
      onClose()
    } catch (error) {
      if (!refuse(form, errorsOf(error))) notifyError('Erro ao criar conta', error)
    }
    setBusy(false)
  }
  const field = (nome: NewUsuarioField, label: string): ComponentProps<typeof PasswordField> => ({
    name: nome,
    label,
    autoComplete: 'off',
    value: fields[nome],
    error: errors[nome],
    onChange: ({ currentTarget: { value } }) => {
      setFields({ ...fields, [nome]: nome === 'telefone' ? maskPhone(value) : value })
      setErrors({ ...errors, [nome]: undefined })
    },
  })
  return { plano, setPlano, tipo, setTipo, busy, create, field }
}

function NewUsuarioForm({ onClose }: { onClose: () => void }) {
  const { plano, setPlano, tipo, setTipo, busy, create, field } = useNewUsuarioForm(onClose)
  return (
    <form noValidate onSubmit={(event) => void create(event)} className="grid gap-4">
      <p className="text-muted">A conta já nasce ativa. Conte a senha à pessoa; ela pode trocá-la depois de entrar.</p>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField {...field('nome', 'Nome')} />
        <TextField {...field('email', 'E-mail')} type="email" autoCapitalize="none" />
        <TextField {...field('telefone', 'Telefone')} type="tel" placeholder="(11) 98765-4321" />
        <TextField {...field('empresa', 'Empresa')} />
        <PasswordField
          {...field('senha', 'Senha')}
          autoComplete="new-password"
          hint={`Pelo menos ${SENHA_MINIMO} caracteres`}
        />
        <Select
          label="Tipo"
          value={tipo}
          onChange={setTipo}
          options={[
            { valor: 'usuario', rotulo: 'Usuário' },
            { valor: 'admin', rotulo: 'Administrador' },
          ]}
        />
        {tipo === 'usuario' && (
          <Select
            label="Plano"
            value={plano}
            onChange={setPlano}
            options={PLANO_OPTIONS}
            hint={plano === '' ? DEFAULT_LIMITS : describeLimits(limitsOfPlano(plano))}
          />
        )}
      </div>
      <FormActions onCancel={onClose} busy={busy} submitLabel={busy ? 'Criando…' : 'Criar usuário'} />
    </form>
  )
}
