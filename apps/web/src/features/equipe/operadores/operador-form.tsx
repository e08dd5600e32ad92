import { SENHA_MINIMO } from '@balcao/contract/constants'
import type { Setor } from '@balcao/contract/entities/config'
import type { Operador } from '@balcao/contract/entities/operador'
import { type ComponentProps, type SubmitEvent, useRef, useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { Button } from '#shared/ui/button.tsx'
import { Checkbox } from '#shared/ui/checkbox.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { checkOperador, type OperadorErrors, operadorErrorsOf } from './operador-errors.ts'
import { SetorChoice } from './setor-choice.tsx'
import { type OperadorInput, useOperadorMutations } from './use-operadores.ts'

export interface OperadorDialogProps {
  /** Null: a new operador. */
  readonly operador: Operador | null
  readonly setores: readonly Setor[]
  readonly onClose: () => void
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
  if (operador === null) return 'Definir a senha agora, sem enviar convite'
  return operador.convitePendente ? 'Definir a senha eu mesmo' : 'Trocar a senha'
}

function emailHint(operador: Operador | null, email: string, comSenha: boolean): string | undefined {
  if (comSenha) return undefined
  if (operador === null) return 'O convite chega neste endereço, com o link para criar a senha.'
  const changed = email.trim().toLowerCase() !== operador.email
  return operador.convitePendente && changed ? 'O convite vai de novo, para o novo endereço.' : undefined
}

function successText(fresh: Operador, operador: Operador | null): string {
  if (operador !== null) return 'Operador atualizado com sucesso!'
  return fresh.convitePendente ? `Convite enviado para ${fresh.email}` : `${fresh.nome} já pode entrar e atender.`
}

function OperadorForm({ operador, setores, onClose }: OperadorDialogProps) {
  const { criar, editar } = useOperadorMutations()
  const form = useRef<HTMLFormElement>(null)
  const [fields, setCampos] = useState({ nome: operador?.nome ?? '', email: operador?.email ?? '', senha: '' })
  const [escolhidos, setEscolhidos] = useState<string[]>(operador?.setores ?? [])
  const [comSenha, setComSenha] = useState(false)
  const [errors, setErros] = useState<OperadorErrors>({})
  const [ocupado, setOcupado] = useState(false)

  const refuse = (novos: OperadorErrors): boolean => {
    setErros(novos)
    const first = (['nome', 'email', 'setores', 'senha'] as const).find((field) => novos[field] !== undefined)
    if (first !== undefined) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
    return Object.keys(novos).length > 0
  }
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (ocupado || refuse(checkOperador(fields, comSenha))) return
    setOcupado(true)
    const { nome, email, senha } = fields
    const written: OperadorInput = { nome, email, setores: escolhidos, ...(comSenha ? { senha } : {}) }
    try {
      const fresh = operador === null ? await criar(written) : await editar(operador.id, written)
      onClose()
      notify.sucesso(successText(fresh, operador))
    } catch (erro) {
      setOcupado(false)
      refuse(operadorErrorsOf(erro))
    }
  }
  const field = (nome: keyof typeof fields): Omit<ComponentProps<typeof PasswordField>, 'label'> => ({
    name: nome,
    required: true,
    value: fields[nome],
    error: errors[nome],
    onChange: ({ currentTarget: { value } }) => {
      setCampos({ ...fields, [nome]: value })
      setErros({ ...errors, [nome]: undefined, geral: undefined })
    },
  })
  const rotuloDoEnvio = operador !== null ? 'Salvar' : comSenha ? 'Criar acesso' : 'Enviar convite'
  return (
    <form ref={form} noValidate onSubmit={(event) => void send(event)} className="grid gap-5">
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
          hint={emailHint(operador, fields.email, comSenha)}
        />
      </div>
      <SetorChoice setores={setores} chosen={escolhidos} error={errors.setores} onChange={setEscolhidos} />
      <div className="grid gap-3 rounded-card bg-sunken p-3 sm:p-4">
        <Checkbox
          label={senhaLabel(operador)}
          checked={comSenha}
          onChange={({ currentTarget }) => setComSenha(currentTarget.checked)}
        />
        {comSenha && (
          <PasswordField
            {...field('senha')}
            label="Senha"
            autoComplete="new-password"
            hint={
              operador === null || operador.convitePendente
                ? `Pelo menos ${SENHA_MINIMO} caracteres. Conte à pessoa; ela pode trocar depois.`
                : `Pelo menos ${SENHA_MINIMO} caracteres. Quem está no painel com a senha antiga sai na hora.`
            }
          />
        )}
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        <Button className="min-h-11" onClick={onClose}>
          Cancelar
        </Button>
        <Button type="submit" variant="primary" className="min-h-11" busy={ocupado}>
          {ocupado ? 'Salvando…' : rotuloDoEnvio}
        </Button>
      </div>
    </form>
  )
}
