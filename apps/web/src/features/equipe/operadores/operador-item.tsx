import type { Setor } from '@balcao/contract/entities/config'
import type { Operador } from '@balcao/contract/entities/operador'
import clsx from 'clsx'
import {
  Ellipsis,
  LogOut,
  ShieldOff,
  UserPen,
  Power,
  PowerOff,
  Trash2,
  MailCheck,
  MailWarning,
  Send,
} from 'lucide-react'
import { initialOf, formatDate } from '#shared/format.ts'
import { Chip } from '#shared/ui/chip.tsx'
import { Menu, type MenuItem } from '#shared/ui/menu.tsx'
import { SetorNameChip } from '#shared/ui/setor-chip.tsx'
import { useLinhas } from '#shared/conta/linhas.ts'
import { findSetor } from '#features/equipe/setores.tsx'
import { useState } from 'react'
import { OperadorLinhas } from './served-linhas.tsx'
import { Button } from '#shared/ui/button.tsx'

interface OperadorActions {
  readonly onEdit: () => void
  readonly onDeactivate: () => void
  readonly onActivate: () => void
  readonly onRemove: () => void
  readonly onEndSessoes: () => void
  readonly onClearFactor: () => void
}

export interface OperadorItemProps extends OperadorActions {
  readonly operador: Operador
  readonly setores: readonly Setor[]
  /** Null while the connection is down: presence unknown. */
  readonly online: boolean | null
  readonly onResend: () => Promise<void>
}

function menuItems(
  active: boolean,
  secondFactor: boolean,
  { onEdit, onDeactivate, onActivate, onRemove, onEndSessoes, onClearFactor }: OperadorActions,
): readonly MenuItem[] {
  return [
    { label: 'Editar', icon: <UserPen size={16} aria-hidden />, run: onEdit },
    active
      ? { label: 'Desativar', icon: <PowerOff size={16} aria-hidden />, run: onDeactivate }
      : { label: 'Ativar', icon: <Power size={16} aria-hidden />, run: onActivate },
    { label: 'Encerrar sessões', icon: <LogOut size={16} aria-hidden />, run: onEndSessoes },
    ...(secondFactor
      ? [{ label: 'Remover segundo fator', icon: <ShieldOff size={16} aria-hidden />, run: onClearFactor }]
      : []),
    { label: 'Remover da equipe', icon: <Trash2 size={16} aria-hidden />, danger: true, run: onRemove },
  ]
}

function Avatar({ nome, online }: { nome: string; online: boolean | null }) {
  return (
    <span
      aria-hidden
      className="relative grid size-11 flex-none place-items-center rounded-full bg-brand-soft text-lg font-bold text-brand-ink"
    >
      {initialOf(nome)}
      {online !== null && (
        <span
          className={clsx(
            'absolute right-0 bottom-0 size-3 rounded-full border-2 border-surface',
            online ? 'bg-brand' : 'bg-line-strong',
          )}
        />
      )}
    </span>
  )
}

function OperadorStatus({ operador, online }: { operador: Operador; online: boolean | null }) {
  if (operador.status === 'inativo') return <Chip>Desativado</Chip>
  if (operador.convitePendente) return <ConviteStatus operador={operador} />
  if (online === null) return null
  return online ? (
    <Chip tone="verde" dot>
      No painel agora
    </Chip>
  ) : (
    <Chip>Fora do painel</Chip>
  )
}

export function OperadorItem({ operador, setores, online, onResend, ...actions }: OperadorItemProps) {
  const { nome, email, status, convitePendente } = operador
  const linhas = useLinhas()
  const active = status !== 'inativo'
  return (
    <li className="flex items-start gap-3 p-3 sm:p-4">
      <Avatar nome={nome} online={active && !convitePendente ? online : null} />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] items-center gap-x-6 gap-y-2 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 className={clsx('min-w-0 font-bold break-words', !active && 'text-muted')}>{nome}</h3>
            <OperadorStatus operador={operador} online={online} />
          </div>
          <p className="text-sm break-all text-muted">{email}</p>
        </div>
        <div className="grid min-w-0 gap-1.5">
          <ul aria-label={`Setores de ${nome}`} className="flex min-w-0 flex-wrap gap-1.5">
            {operador.setores.length === 0 ? (
              <li>
                <Chip>Todos os setores</Chip>
              </li>
            ) : (
              operador.setores.map((id) => (
                <li key={id} className="max-w-full">
                  <SetorNameChip setor={findSetor(setores, id)} />
                </li>
              ))
            )}
          </ul>
          <OperadorLinhas nome={nome} chosen={operador.linhas} linhas={linhas} onChoose={actions.onEdit} />
        </div>
        {active && convitePendente && <PendingConvite operador={operador} onResend={onResend} />}
      </div>
      <Menu
        label={`Ações para ${nome}`}
        className="btn btn-ghost btn-icon btn-touch"
        button={<Ellipsis size={20} aria-hidden />}
        items={menuItems(active, operador.segundoFator, actions)}
      />
    </li>
  )
}

function isConviteValid({ conviteAte }: Operador): boolean {
  return conviteAte !== null && Date.parse(conviteAte) > Date.now()
}

/** Replaces the presence: an invited operador cannot log in before choosing a password. */
function ConviteStatus({ operador }: { operador: Operador }) {
  return isConviteValid(operador) ? (
    <Chip tone="amarelo">
      <MailCheck size={14} aria-hidden /> Convite pendente
    </Chip>
  ) : (
    <Chip tone="vermelho">
      <MailWarning size={14} aria-hidden /> Convite vencido
    </Chip>
  )
}

function PendingConvite({ operador, onResend }: { operador: Operador; onResend: () => Promise<void> }) {
  const [sending, setSending] = useState(false)
  const resend = (): void => {
    setSending(true)
    void onResend().finally(() => setSending(false))
  }
  const { conviteAte, nome } = operador
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 lg:col-span-2">
      <p className="text-sm text-muted">
        {conviteAte !== null && isConviteValid(operador)
          ? `O link do convite vale até ${formatDate(conviteAte)}, uma única vez.`
          : 'O link do convite não abre mais. Reenvie o convite, ou defina a senha em Editar.'}
      </p>
      <Button
        className="min-h-11"
        busy={sending}
        onClick={resend}
        aria-label={sending ? undefined : `Reenviar convite para ${nome}`}
      >
        {!sending && <Send size={16} aria-hidden />}
        {sending ? 'Reenviando…' : 'Reenviar convite'}
      </Button>
    </div>
  )
}
