import type { Setor } from '@balcao/contract/entities/config'
import type { Operador } from '@balcao/contract/entities/operador'
import clsx from 'clsx'
import { Ellipsis, UserPen, Power, PowerOff, Trash2 } from 'lucide-react'
import { inicialDe } from '#shared/format.ts'
import { Chip } from '#shared/ui/chip.tsx'
import { Menu, type MenuItem } from '#shared/ui/menu.tsx'
import { ChipDoSetor } from '#shared/ui/setor.tsx'
import { ConvitePendente, SituacaoDoConvite } from './convite-pendente.tsx'
import { acharSetor } from './use-setores.ts'

interface Acoes {
  readonly onEditar: () => void
  readonly onDesativar: () => void
  readonly onAtivar: () => void
  readonly onRemover: () => void
}

export interface OperadorNaListaProps extends Acoes {
  readonly operador: Operador
  readonly setores: readonly Setor[]
  /** Null while the connection is down: presence unknown. */
  readonly presente: boolean | null
  readonly onReenviar: () => Promise<void>
}

function itens(ativo: boolean, { onEditar, onDesativar, onAtivar, onRemover }: Acoes): readonly MenuItem[] {
  return [
    { rotulo: 'Editar', icone: <UserPen size={16} aria-hidden />, fazer: onEditar },
    ativo
      ? { rotulo: 'Desativar', icone: <PowerOff size={16} aria-hidden />, fazer: onDesativar }
      : { rotulo: 'Ativar', icone: <Power size={16} aria-hidden />, fazer: onAtivar },
    { rotulo: 'Remover da equipe', icone: <Trash2 size={16} aria-hidden />, perigo: true, fazer: onRemover },
  ]
}

function Avatar({ nome, presente }: { nome: string; presente: boolean | null }) {
  return (
    <span
      aria-hidden
      className="relative grid size-11 flex-none place-items-center rounded-full bg-brand-soft text-lg font-bold text-brand-ink"
    >
      {inicialDe(nome)}
      {presente !== null && (
        <span
          className={clsx(
            'absolute right-0 bottom-0 size-3 rounded-full border-2 border-surface',
            presente ? 'bg-brand' : 'bg-line-strong',
          )}
        />
      )}
    </span>
  )
}

function Situacao({ operador, presente }: { operador: Operador; presente: boolean | null }) {
  if (operador.status === 'inativo') return <Chip>Desativado</Chip>
  if (operador.convitePendente) return <SituacaoDoConvite operador={operador} />
  if (presente === null) return null
  return presente ? (
    <Chip tom="verde" ponto>
      No painel agora
    </Chip>
  ) : (
    <Chip>Fora do painel</Chip>
  )
}

export function OperadorNaLista({ operador, setores, presente, onReenviar, ...acoes }: OperadorNaListaProps) {
  const { nome, email, status, convitePendente } = operador
  const ativo = status !== 'inativo'
  return (
    <li className="flex items-start gap-3 p-3 sm:p-4">
      <Avatar nome={nome} presente={ativo && !convitePendente ? presente : null} />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] items-center gap-x-6 gap-y-2 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 className={clsx('min-w-0 font-bold break-words', !ativo && 'text-muted')}>{nome}</h3>
            <Situacao operador={operador} presente={presente} />
          </div>
          <p className="text-sm break-all text-muted">{email}</p>
        </div>
        <ul aria-label={`Setores de ${nome}`} className="flex min-w-0 flex-wrap gap-1.5">
          {operador.setores.length === 0 ? (
            <li>
              <Chip>Todos os setores</Chip>
            </li>
          ) : (
            operador.setores.map((id) => (
              <li key={id} className="max-w-full">
                <ChipDoSetor setor={acharSetor(setores, id)} />
              </li>
            ))
          )}
        </ul>
        {ativo && convitePendente && <ConvitePendente operador={operador} onReenviar={onReenviar} />}
      </div>
      <Menu
        rotulo={`Ações para ${nome}`}
        className="btn btn-ghost btn-icon !size-11"
        botao={<Ellipsis size={20} aria-hidden />}
        itens={itens(ativo, acoes)}
      />
    </li>
  )
}
