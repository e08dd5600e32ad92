import { SENHA_MINIMO } from '@balcao/contract/constants'
import type { Setor } from '@balcao/contract/entities/config'
import type { Operador } from '@balcao/contract/entities/operador'
import { type ComponentProps, type SubmitEvent, useRef, useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { useServerOptions } from '#shared/conta/server-options.ts'
import { FormActions } from '#shared/ui/form-actions.tsx'
import { Checkbox } from '#shared/ui/checkbox.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import type { NewConvite } from './convite-dialog.tsx'
import { type CreatedOperador, type OperadorInput, useOperadorMutations } from './use-operadores.ts'
import { ApiError } from '#shared/api-client.ts'
import { TEXTS } from '#shared/texts.ts'
import { ServedLinhas, useLinhaDraft } from './served-linhas.tsx'
import { SetorChoice } from '#features/equipe/setores.tsx'

type OperadorErrors = Readonly<
  Partial<Record<'nome' | 'email' | 'setores' | 'linhas' | 'senha' | 'geral', string | undefined>>
>

function checkOperador(
  { nome, email, senha }: { readonly nome: string; readonly email: string; readonly senha: string },
  withSenha: boolean,
): OperadorErrors {
  const senhaError = senha === '' ? TEXTS.senhaObrigatoria : TEXTS.senhaCurta
  return {
    ...(nome.trim() === '' ? { nome: TEXTS.nomeObrigatorio } : {}),
    ...(email.trim() === '' ? { email: TEXTS.emailObrigatorio } : {}),
    ...(withSenha && senha.length < SENHA_MINIMO ? { senha: senhaError } : {}),
  }
}

const FIELDS = ['nome', 'email', 'setores', 'linhas', 'senha'] as const

/** Server errors by field. `setores.2` maps to `setores`: one text is enough. */
function operadorErrorsOf(error: unknown): OperadorErrors {
  if (!(error instanceof ApiError)) throw error
  if (error.codigo === 'emailJaCadastrado') return { email: error.message }
  const details = error.dados.detalhes ?? []
  const found = FIELDS.flatMap((field) => {
    const detail = details.find(({ caminho }) => caminho === field || caminho.startsWith(`${field}.`))
    return detail === undefined ? [] : [[field, detail.mensagem] as const]
  })
  return found.length === 0 ? { geral: error.message } : Object.fromEntries(found)
}

export interface OperadorDialogProps {
  /** Null: a new operador. */
  readonly operador: Operador | null
  readonly setores: readonly Setor[]
  readonly onClose: () => void
  readonly onInvited: (convite: NewConvite) => void
}

export function OperadorDialog(props: OperadorDialogProps) {
  const { operador, onClose } = props
  return (
    <Dialog open width="lg" title={operador === null ? 'Convidar pessoa' : `Editar ${operador.nome}`} onClose={onClose}>
      <OperadorForm {...props} />
    </Dialog>
  )
}

function senhaLabel(operador: Operador | null): string {
  if (operador === null) return 'Definir a senha agora, sem convite'
  return operador.convitePendente ? 'Definir a senha eu mesmo' : 'Trocar a senha'
}

interface HintFacts {
  readonly email: string
  readonly withSenha: boolean
  readonly sendsMail: boolean
}

function emailHint(operador: Operador | null, { email, withSenha, sendsMail }: HintFacts): string | undefined {
  if (withSenha) return undefined
  if (!sendsMail) return 'A pessoa entra com este e-mail. Você recebe o link do convite para mandar a ela.'
  if (operador === null) return 'O convite chega neste endereço, com o link para criar a senha.'
  const changed = email.trim().toLowerCase() !== operador.email
  return operador.convitePendente && changed ? 'O convite vai de novo, para o novo endereço.' : undefined
}

function createdText({ operador: { nome, email }, convite }: CreatedOperador): string {
  if (convite === undefined) return `${nome} já pode entrar e atender.`
  return convite.emailEnviado ? `Convite enviado para ${email}` : `Convite de ${nome} criado. Mande o link.`
}

type OperadorFields = Readonly<Record<'nome' | 'email' | 'senha', string>>

function useStoreOperador({ operador, onClose, onInvited }: OperadorDialogProps) {
  const { create, edit } = useOperadorMutations()
  return async (written: OperadorInput): Promise<void> => {
    if (operador !== null) {
      await edit(operador.id, written)
      onClose()
      return void notify.sucesso('Operador atualizado com sucesso!')
    }
    const created = await create(written)
    onClose()
    notify.sucesso(createdText(created))
    const { nome, email } = created.operador
    if (created.convite !== undefined) onInvited({ nome, email, ...created.convite })
  }
}

function useOperadorForm(props: OperadorDialogProps) {
  const { operador } = props
  const store = useStoreOperador(props)
  const form = useRef<HTMLFormElement>(null)
  const [fields, setFields] = useState<OperadorFields>({
    nome: operador?.nome ?? '',
    email: operador?.email ?? '',
    senha: '',
  })
  const [setores, setSetores] = useState<string[]>(operador?.setores ?? [])
  const linha = useLinhaDraft(operador)
  const sendsMail = useServerOptions()?.email !== false
  const [picked, setWithSenha] = useState<boolean>()
  // Without a mail server nothing reaches the person, so the password comes first.
  const withSenha = picked ?? (operador === null && !sendsMail)
  const [errors, setErrors] = useState<OperadorErrors>({})
  const [busy, setBusy] = useState(false)

  const refuse = (fresh: OperadorErrors): boolean => {
    setErrors(fresh)
    const first = FIELDS.find((field) => fresh[field] !== undefined)
    if (first !== undefined) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
    return Object.keys(fresh).length > 0
  }
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (busy || refuse(checkOperador(fields, withSenha))) return
    setBusy(true)
    const { nome, email, senha } = fields
    const written: OperadorInput = { nome, email, setores, ...linha.body, ...(withSenha ? { senha } : {}) }
    try {
      await store(written)
    } catch (error) {
      setBusy(false)
      refuse(operadorErrorsOf(error))
    }
  }
  const field = (nome: keyof OperadorFields): Omit<ComponentProps<typeof PasswordField>, 'label'> => ({
    name: nome,
    required: true,
    value: fields[nome],
    error: errors[nome],
    onChange: ({ currentTarget: { value } }) => {
      setFields({ ...fields, [nome]: value })
      setErrors({ ...errors, [nome]: undefined, geral: undefined })
    },
  })
  return {
    form,
    email: fields.email,
    sendsMail,
    setores,
    setSetores,
    linha,
    withSenha,
    setWithSenha,
    errors,
    busy,
    send,
    field,
  }
}

function submitLabel(operador: Operador | null, { withSenha, sendsMail }: Omit<HintFacts, 'email'>): string {
  if (operador !== null) return 'Salvar'
  if (withSenha) return 'Criar acesso'
  return sendsMail ? 'Enviar convite' : 'Criar convite'
}

function OperadorForm(props: OperadorDialogProps) {
  const { operador, setores, onClose } = props
  const { form, errors, withSenha, busy, field, ...draft } = useOperadorForm(props)
  const isNew = operador === null || operador.convitePendente
  return (
    <form ref={form} noValidate onSubmit={(event) => void draft.send(event)} className="grid gap-5">
      {errors.geral !== undefined && <Notice tone="erro" title={errors.geral} />}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField {...field('nome')} label="Nome" autoComplete="off" maxLength={120} />
        <TextField
          {...field('email')}
          label="E-mail"
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={emailHint(operador, { email: draft.email, withSenha, sendsMail: draft.sendsMail })}
        />
      </div>
      <SetorChoice
        legend="Setores que atende"
        hint={
          draft.setores.length === 0
            ? 'Nenhum marcado: a pessoa vê e atende todos.'
            : 'A pessoa vê e atende só os setores marcados e o Geral.'
        }
        setores={setores}
        chosen={draft.setores}
        error={errors.setores}
        onChange={draft.setSetores}
      />
      <ServedLinhas draft={draft.linha} error={errors.linhas} />
      <div className="grid gap-3 rounded-card bg-sunken p-3 sm:p-4">
        <Checkbox
          label={senhaLabel(operador)}
          checked={withSenha}
          onChange={({ currentTarget }) => draft.setWithSenha(currentTarget.checked)}
        />
        {withSenha && (
          <PasswordField
            {...field('senha')}
            label="Senha"
            autoComplete="new-password"
            hint={
              isNew
                ? `Pelo menos ${SENHA_MINIMO} caracteres. Conte à pessoa; ela pode trocar depois.`
                : `Pelo menos ${SENHA_MINIMO} caracteres. Quem está no painel com a senha antiga sai na hora.`
            }
          />
        )}
      </div>
      <FormActions
        onCancel={onClose}
        busy={busy}
        submitLabel={busy ? 'Salvando…' : submitLabel(operador, { withSenha, sendsMail: draft.sendsMail })}
      />
    </form>
  )
}
