import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { formatDate, formatNumber, formatPhone } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip, type Tom } from '#shared/ui/chip.tsx'
import { Meter } from '#shared/ui/meter.tsx'

const ROTULO_DO_STATUS: Readonly<Record<UsuarioAdmin['status'], { readonly rotulo: string; readonly tom: Tom }>> = {
  pendente: { rotulo: 'Pendente', tom: 'amarelo' },
  ativo: { rotulo: 'Ativo', tom: 'verde' },
  inativo: { rotulo: 'Inativo', tom: 'cinza' },
}
const ROTULO_DO_PLANO: Readonly<Record<UsuarioAdmin['plano'], string>> = { gratuito: 'Gratuito', doacao: 'Doação' }

function cor(percentual: number): 'brand' | 'warn' | 'danger' {
  if (percentual > 90) return 'danger'
  return percentual > 70 ? 'warn' : 'brand'
}

export function StatusDoUsuario({ usuario: { status } }: { usuario: UsuarioAdmin }) {
  const { rotulo, tom } = ROTULO_DO_STATUS[status]
  return (
    <Chip tom={tom} ponto>
      {rotulo}
    </Chip>
  )
}

export function Quem({ usuario: { nome, tipo, plano, empresa } }: { usuario: UsuarioAdmin }) {
  return (
    <div className="flex items-center gap-3">
      <span
        aria-hidden
        className="grid size-9 flex-none place-items-center rounded-full bg-brand-soft font-bold text-brand-ink"
      >
        {nome.trim().slice(0, 1).toUpperCase()}
      </span>
      <span className="min-w-0">
        <span className="block truncate font-semibold">{nome}</span>
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
      <span className="block truncate">{email}</span>
      {telefone !== '' && <span className="block text-muted tabular-nums">{formatPhone(telefone)}</span>}
    </div>
  )
}

export function Uso({
  usuario: { mensagensHoje, limiteMensagensDia, percentualUso, tipo, nome },
}: {
  usuario: UsuarioAdmin
}) {
  return (
    <div className="min-w-28 text-sm">
      <span className="tabular-nums">
        {formatNumber(mensagensHoje)} / {tipo === 'admin' ? 'sem limite' : formatNumber(limiteMensagensDia)}
      </span>
      {tipo !== 'admin' && (
        <div className="mt-1">
          <Meter rotulo={`Mensagens de ${nome} hoje`} percentual={percentualUso} cor={cor(percentualUso)} />
        </div>
      )}
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

export interface AcaoStatusProps {
  readonly usuario: UsuarioAdmin
  readonly ocupado: boolean
  readonly onAlterar: (ativo: boolean) => void
}

export function AcaoStatus({ usuario, ocupado, onAlterar }: AcaoStatusProps) {
  const ativar = usuario.status !== 'ativo'
  return (
    <Button
      tamanho="sm"
      variante={ativar ? 'primary' : 'outline'}
      ocupado={ocupado}
      aria-label={`${ativar ? 'Ativar' : 'Desativar'} ${usuario.nome}`}
      onClick={() => onAlterar(ativar)}
    >
      {ativar ? 'Ativar' : 'Desativar'}
    </Button>
  )
}
