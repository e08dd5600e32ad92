import { USO_AMARELO_PERCENTUAL, USO_VERMELHO_PERCENTUAL } from '@balcao/contract/constants'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { formatDate, formatNumber, formatPercent, formatPhone } from '#shared/format.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button, type ButtonProps } from '#shared/ui/button.tsx'
import { Chip, type Tom } from '#shared/ui/chip.tsx'
import { Meter } from '#shared/ui/meter.tsx'
import { type AlterarStatus, useAlterandoStatus } from './acoes.ts'

const ROTULO_DO_STATUS: Readonly<Record<UsuarioAdmin['status'], { readonly rotulo: string; readonly tom: Tom }>> = {
  pendente: { rotulo: 'Pendente', tom: 'amarelo' },
  ativo: { rotulo: 'Ativo', tom: 'verde' },
  inativo: { rotulo: 'Inativo', tom: 'cinza' },
}
export const ROTULO_DO_PLANO: Readonly<Record<UsuarioAdmin['plano'], string>> = {
  gratuito: 'Gratuito',
  doacao: 'Doação',
}

export function corDoUso(percentual: number): 'brand' | 'warn' | 'danger' {
  if (percentual > USO_VERMELHO_PERCENTUAL) return 'danger'
  return percentual > USO_AMARELO_PERCENTUAL ? 'warn' : 'brand'
}

export function StatusDoUsuario({ usuario: { status } }: { usuario: UsuarioAdmin }) {
  const { rotulo, tom } = ROTULO_DO_STATUS[status]
  return (
    <Chip tom={tom} ponto>
      {rotulo}
    </Chip>
  )
}

export function Quem({ usuario: { id, nome, tipo, plano, empresa } }: { usuario: UsuarioAdmin }) {
  const eu = useUsuario().id === id
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
          {eu && <Chip tom="azul">Você</Chip>}
        </span>
        <span className="block truncate text-sm text-muted">
          {tipo === 'admin' ? 'Administrador' : ROTULO_DO_PLANO[plano]}
          {empresa !== '' && ` · ${empresa}`}
        </span>
      </span>
    </div>
  )
}

export function Contato({ usuario: { email, telefone } }: { usuario: UsuarioAdmin }) {
  return (
    <div className="min-w-0 text-sm">
      <span className="block truncate" title={email}>
        {email}
      </span>
      {telefone !== '' && <span className="block text-muted tabular-nums">{formatPhone(telefone)}</span>}
    </div>
  )
}

export function Uso({ usuario }: { usuario: UsuarioAdmin }) {
  const { mensagensHoje, limiteMensagensDia, percentualUso, tipo, nome } = usuario
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
        <Meter rotulo={`Mensagens de ${nome} hoje`} percentual={percentualUso} cor={corDoUso(percentualUso)} />
      </div>
    </div>
  )
}

export function Cadastro({ usuario: { dataCriacao } }: { usuario: UsuarioAdmin }) {
  return (
    <time dateTime={dataCriacao} className="text-sm tabular-nums">
      {formatDate(dataCriacao)}
    </time>
  )
}

export interface AcaoStatusProps extends Pick<ButtonProps, 'tamanho' | 'className'> {
  readonly usuario: UsuarioAdmin
  readonly onAlterar: AlterarStatus
}

/** Hidden for the administrator's own account, which must not deactivate itself. */
export function AcaoStatus({ usuario, onAlterar, ...botao }: AcaoStatusProps) {
  const ocupado = useAlterandoStatus(usuario.id)
  const eu = useUsuario().id === usuario.id
  if (eu) return null
  const ativar = usuario.status !== 'ativo'
  return (
    <Button
      {...botao}
      variante={ativar ? 'primary' : 'outline'}
      ocupado={ocupado}
      aria-label={`${ativar ? 'Ativar' : 'Desativar'} ${usuario.nome}`}
      onClick={() => void onAlterar(usuario, ativar)}
    >
      {ativar ? 'Ativar' : 'Desativar'}
    </Button>
  )
}
