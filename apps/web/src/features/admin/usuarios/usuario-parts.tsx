import {
  NOME_DO_PLANO,
  USO_AMARELO_PERCENTUAL,
  USO_VERMELHO_PERCENTUAL,
  COMPONENTES,
  type Componente,
  type Plano,
} from '@balcao/contract/constants'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { describeLinhas } from '#shared/conta/plan-limits.ts'
import { formatDate, formatNumber, formatPercent, formatPhone } from '#shared/format.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button, type ButtonProps } from '#shared/ui/button.tsx'
import { Chip, type ChipTone } from '#shared/ui/chip.tsx'
import { Meter } from '#shared/ui/meter.tsx'
import { type ChangeStatus, useStatusChanging } from './usuario-actions.ts'
import { useState, type ReactNode } from 'react'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { useUsuarioStats } from '#features/admin/admin-queries.ts'
import { NOME_DO_COMPONENTE } from '@balcao/contract/administration'

const STATUS_LABEL: Readonly<Record<UsuarioAdmin['status'], { readonly rotulo: string; readonly tom: ChipTone }>> = {
  pendente: { rotulo: 'Pendente', tom: 'amarelo' },
  ativo: { rotulo: 'Ativo', tom: 'verde' },
  inativo: { rotulo: 'Inativo', tom: 'cinza' },
}

export function planUsageTone(percent: number): 'brand' | 'warn' | 'danger' {
  if (percent > USO_VERMELHO_PERCENTUAL) return 'danger'
  return percent > USO_AMARELO_PERCENTUAL ? 'warn' : 'brand'
}

export function UsuarioStatus({ usuario: { status } }: { usuario: UsuarioAdmin }) {
  const { rotulo, tom } = STATUS_LABEL[status]
  return (
    <Chip tone={tom} dot>
      {rotulo}
    </Chip>
  )
}

/** The first thing that a reseller looks for. A bot in the test mode serves no customer. */
export function BotConnection({ usuario: { botConectado, modoTeste = false } }: { usuario: UsuarioAdmin }) {
  return (
    <Chip tone={modoTeste ? 'amarelo' : botConectado ? 'verde' : 'cinza'} dot>
      {modoTeste ? 'Bot em teste' : botConectado ? 'Bot conectado' : 'Bot desconectado'}
    </Chip>
  )
}

function pendingWish({ status, planoDesejado }: UsuarioAdmin): Plano | null {
  return status === 'pendente' ? (planoDesejado ?? null) : null
}

export function UsuarioIdentity({ usuario }: { usuario: UsuarioAdmin }) {
  const { id, nome, tipo, plano, empresa } = usuario
  const eu = useUsuario().id === id
  const wish = pendingWish(usuario)
  return (
    <div className="flex min-w-0 items-center gap-3">
      <span
        aria-hidden
        className="grid size-9 flex-none place-items-center rounded-full bg-brand-soft font-bold text-brand-ink"
      >
        {nome.trim().slice(0, 1).toUpperCase()}
      </span>
      <span className="min-w-0">
        <span className="flex items-center gap-2">
          <span className="truncate font-semibold">{nome}</span>
          {eu && <Chip tone="azul">Você</Chip>}
        </span>
        <span className="block truncate text-sm text-muted">
          {tipo === 'admin' ? 'Administrador' : NOME_DO_PLANO[plano]}
          {empresa !== '' && ` · ${empresa}`}
          {usuario.segundoFator && ' · Duas etapas'}
        </span>
        {wish !== null && <span className="block text-sm font-semibold">Pediu: {NOME_DO_PLANO[wish]}</span>}
      </span>
    </div>
  )
}

export function UsuarioContact({ usuario: { email, telefone } }: { usuario: UsuarioAdmin }) {
  return (
    <div className="min-w-0 text-sm">
      <span className="block truncate" title={email}>
        {email}
      </span>
      {telefone !== '' && <span className="block text-muted tabular-nums">{formatPhone(telefone)}</span>}
    </div>
  )
}

export function UsuarioUsageBar({ usuario }: { usuario: UsuarioAdmin }) {
  const { mensagensHoje, limiteMensagensDia, limiteLinhas, percentualUso, tipo, nome } = usuario
  if (tipo === 'admin') {
    return <span className="text-sm tabular-nums">{formatNumber(mensagensHoje)} · sem limite</span>
  }
  return (
    <div className="min-w-28 text-sm">
      <span className="flex justify-between gap-2 tabular-nums">
        <span>
          {formatNumber(mensagensHoje)} / {formatNumber(limiteMensagensDia)}
        </span>
        <span className="text-muted">{formatPercent(percentualUso)}</span>
      </span>
      <div className="mt-1">
        <Meter label={`Mensagens de ${nome} hoje`} percent={percentualUso} color={planUsageTone(percentualUso)} />
      </div>
      <span className="mt-1 block text-muted">{describeLinhas(limiteLinhas)}</span>
    </div>
  )
}

export function UsuarioCreatedAt({ usuario: { dataCriacao } }: { usuario: UsuarioAdmin }) {
  return (
    <time dateTime={dataCriacao} className="text-sm tabular-nums">
      {formatDate(dataCriacao)}
    </time>
  )
}

export interface StatusActionProps extends Pick<ButtonProps, 'size' | 'className'> {
  readonly usuario: UsuarioAdmin
  readonly onChangeStatus: ChangeStatus
}

/** Hidden for the administrator's own account, which must not deactivate itself. */
export function StatusAction({ usuario, onChangeStatus, ...button }: StatusActionProps) {
  const busy = useStatusChanging(usuario.id)
  const eu = useUsuario().id === usuario.id
  if (eu) return null
  const activate = usuario.status !== 'ativo'
  return (
    <Button
      {...button}
      variant={activate ? 'primary' : 'outline'}
      busy={busy}
      aria-label={`${activate ? 'Ativar' : 'Desativar'} ${usuario.nome}`}
      onClick={() => void onChangeStatus(usuario, activate)}
    >
      {activate ? 'Ativar' : 'Desativar'}
    </Button>
  )
}

export interface ApproveActionProps extends Pick<ButtonProps, 'size' | 'className'> {
  readonly usuario: UsuarioAdmin
  readonly onApprove: (usuario: UsuarioAdmin, plano: Plano) => Promise<unknown>
}

export function ApproveWithPlano({ usuario, onApprove, ...button }: ApproveActionProps) {
  const [busy, setBusy] = useState(false)
  const wish = pendingWish(usuario)
  if (wish === null) return null
  const approve = async (): Promise<void> => {
    setBusy(true)
    await onApprove(usuario, wish)
    setBusy(false)
  }
  return (
    <Button {...button} busy={busy} onClick={() => void approve()}>
      Aprovar e aplicar o plano<span className="sr-only"> de {usuario.nome}</span>
    </Button>
  )
}

export function UsuarioUsage({ id, children }: { id: string; children?: ReactNode }) {
  const { data, error, refetch, isPending } = useUsuarioStats(id)
  return (
    <section aria-labelledby="uso" aria-busy={isPending} className="rounded-card border border-line p-4">
      <h3 id="uso" className="font-bold">
        Estatísticas de uso
      </h3>
      {error !== null && data === undefined && <ErrorState message={error.message} onRetry={() => void refetch()} />}
      {isPending && <Skeleton className="mt-3 h-24 w-full" />}
      {data !== undefined && (
        <>
          <dl className="mt-3 grid grid-cols-2 gap-3">
            <Figure nome="Mensagens hoje" valor={formatNumber(data.mensagensHoje)} />
            <Figure
              nome="Limite diário"
              valor={data.limiteDiario === null ? 'Sem limite' : formatNumber(data.limiteDiario)}
            />
            <Figure nome="Uso do limite" valor={data.limiteDiario === null ? '—' : formatPercent(data.percentualUso)} />
            <Figure nome="Total no mês" valor={formatNumber(data.mensagemesTotalMes)} />
          </dl>
          {data.limiteDiario !== null && (
            <div className="mt-3">
              <Meter
                label="Uso do limite diário"
                percent={data.percentualUso}
                color={planUsageTone(data.percentualUso)}
              />
            </div>
          )}
          {children}
        </>
      )}
    </section>
  )
}

function Figure({ nome, valor }: { nome: string; valor: string }) {
  return (
    <div>
      <dt className="text-sm text-muted">{nome}</dt>
      <dd className="text-lg font-extrabold tabular-nums">{valor}</dd>
    </div>
  )
}

export const PANEL_COMPONENTES: readonly { readonly id: Componente; readonly rotulo: string }[] = COMPONENTES.map(
  (id) => ({ id, rotulo: NOME_DO_COMPONENTE[id] }),
)
