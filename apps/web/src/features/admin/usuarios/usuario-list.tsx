import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { UsuarioOrder } from '@balcao/contract/administration'
import { ArrowDown, ArrowUp, Ellipsis, Eye, SlidersHorizontal, Trash2 } from 'lucide-react'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Menu } from '#shared/ui/menu.tsx'
import { Select } from '#shared/ui/select.tsx'
import { useApproveWithPlano, useChangeStatus } from './usuario-actions.ts'
import type { UsuarioSort } from '#features/admin/admin-search.ts'
import {
  ApproveWithPlano,
  BotConnection,
  StatusAction,
  UsuarioCreatedAt,
  UsuarioContact,
  UsuarioIdentity,
  UsuarioStatus,
  UsuarioUsageBar,
} from './usuario-parts.tsx'

export type UsuarioListAction = 'ver' | 'configurar' | 'excluir'

export interface UsuarioListProps {
  readonly usuarios: readonly UsuarioAdmin[]
  readonly sort: UsuarioSort
  readonly onSort: (order: UsuarioSort) => void
  readonly onAction: (action: UsuarioListAction, usuario: UsuarioAdmin) => void
}

export function UsuarioList(props: UsuarioListProps) {
  const fitsTable = useMediaQuery('(min-width: 64rem)')
  return fitsTable ? <UsuarioTable {...props} /> : <UsuarioCards {...props} />
}

const COLUMNS: readonly { readonly coluna: UsuarioOrder; readonly rotulo: string }[] = [
  { coluna: 'nome', rotulo: 'Usuário' },
  { coluna: 'contato', rotulo: 'Contato' },
  { coluna: 'status', rotulo: 'Status' },
  { coluna: 'uso', rotulo: 'Mensagens hoje' },
  { coluna: 'cadastro', rotulo: 'Cadastro' },
]

const firstSort = (coluna: UsuarioOrder): UsuarioSort => ({
  column: coluna,
  direction: coluna === 'uso' || coluna === 'cadastro' ? 'desc' : 'asc',
})

const oppositeSort = ({ column, direction }: UsuarioSort): UsuarioSort => ({
  column,
  direction: direction === 'asc' ? 'desc' : 'asc',
})

type SortProps = Pick<UsuarioListProps, 'sort' | 'onSort'>

function ColumnHeader({ coluna, rotulo, sort, onSort }: SortProps & (typeof COLUMNS)[number]) {
  const current = sort.column === coluna
  const Seta = sort.direction === 'asc' ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={current ? (sort.direction === 'asc' ? 'ascending' : 'descending') : undefined}
      className="px-1 py-1.5 font-semibold first:pl-4"
    >
      <button
        type="button"
        className="flex min-h-9 items-center gap-1 rounded-lg px-1 hover:bg-sunken hover:text-ink"
        onClick={() => onSort(current ? oppositeSort(sort) : firstSort(coluna))}
      >
        {rotulo}
        <Seta size={14} aria-hidden className={current ? '' : 'invisible'} />
      </button>
    </th>
  )
}

function CardSort({ sort, onSort }: SortProps) {
  const Seta = sort.direction === 'asc' ? ArrowUp : ArrowDown
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <Select
          label="Ordenar por"
          value={sort.column}
          options={COLUMNS.map(({ coluna, rotulo }) => ({ valor: coluna, rotulo }))}
          onChange={(column) => onSort(firstSort(column))}
        />
      </div>
      <IconButton
        label={sort.direction === 'asc' ? 'Em ordem crescente: inverter' : 'Em ordem decrescente: inverter'}
        icon={<Seta size={18} aria-hidden />}
        onClick={() => onSort(oppositeSort(sort))}
      />
    </div>
  )
}

function UsuarioTable({ usuarios, sort, onSort, onAction }: UsuarioListProps) {
  return (
    <div className="card relative overflow-x-auto">
      <table className="w-full text-left">
        <thead className="border-b border-line text-sm text-muted">
          <tr>
            {COLUMNS.map((column) => (
              <ColumnHeader key={column.coluna} {...column} sort={sort} onSort={onSort} />
            ))}
            <th scope="col" className="py-3 pr-4 pl-3 text-right font-semibold">
              Ações
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {usuarios.map((usuario) => (
            <tr key={usuario.id} className="hover:bg-sunken">
              <td className="max-w-60 py-3 pr-3 pl-4">
                <UsuarioIdentity usuario={usuario} />
              </td>
              <td className="max-w-52 px-3 py-3">
                <UsuarioContact usuario={usuario} />
              </td>
              <td className="px-3 py-3">
                <span className="grid justify-items-start gap-1">
                  <UsuarioStatus usuario={usuario} />
                  <BotConnection usuario={usuario} />
                </span>
              </td>
              <td className="px-3 py-3">
                <UsuarioUsageBar usuario={usuario} />
              </td>
              <td className="px-3 py-3">
                <UsuarioCreatedAt usuario={usuario} />
              </td>
              <td className="py-3 pr-4 pl-3">
                <RowActions usuario={usuario} onAction={onAction} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowActionsProps extends Pick<UsuarioListProps, 'onAction'> {
  readonly usuario: UsuarioAdmin
}

function RowActions({ usuario, onAction }: RowActionsProps) {
  const update = useChangeStatus()
  const approve = useApproveWithPlano()
  const eu = useUsuario().id === usuario.id
  const icon = (action: UsuarioListAction, verbo: string, drawing: typeof Eye, perigo = false) => {
    const Drawing = drawing
    return (
      <IconButton
        label={`${verbo} ${usuario.nome}`}
        title={verbo}
        tooltip={false}
        className={perigo ? 'text-danger-ink' : ''}
        icon={<Drawing size={18} aria-hidden />}
        onClick={() => onAction(action, usuario)}
      />
    )
  }
  return (
    <>
      <div className="flex items-center justify-end">
        <StatusAction usuario={usuario} size="sm" className="mr-1" onChangeStatus={update} />
        {icon('ver', 'Ver', Eye)}
        {icon('configurar', 'Configurar', SlidersHorizontal)}
        {!eu && icon('excluir', 'Excluir', Trash2, true)}
      </div>
      <ApproveWithPlano usuario={usuario} size="sm" className="mt-1 ml-auto flex" onApprove={approve} />
    </>
  )
}

function UsuarioCards({ usuarios, sort, onSort, onAction }: UsuarioListProps) {
  return (
    <>
      <CardSort sort={sort} onSort={onSort} />
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-2">
        {usuarios.map((usuario) => (
          <UsuarioCard key={usuario.id} usuario={usuario} onAction={onAction} />
        ))}
      </ul>
    </>
  )
}

function UsuarioCard({ usuario, onAction }: RowActionsProps) {
  const update = useChangeStatus()
  const approve = useApproveWithPlano()
  const eu = useUsuario().id === usuario.id
  return (
    <li className="card grid grid-cols-[minmax(0,1fr)] content-start gap-3 p-4">
      <div className="flex items-start justify-between gap-3">
        <UsuarioIdentity usuario={usuario} />
        <span className="grid flex-none justify-items-end gap-1">
          <UsuarioStatus usuario={usuario} />
          <BotConnection usuario={usuario} />
        </span>
      </div>
      <UsuarioContact usuario={usuario} />
      <div>
        <p className="text-sm text-muted">Mensagens hoje</p>
        <UsuarioUsageBar usuario={usuario} />
      </div>
      <p className="text-sm text-muted">
        Cadastro em <UsuarioCreatedAt usuario={usuario} />
      </p>
      <div className="flex items-center gap-2">
        <StatusAction usuario={usuario} className="min-h-11 flex-1" onChangeStatus={update} />
        <Button className="min-h-11 flex-1" onClick={() => onAction('configurar', usuario)}>
          Configurar<span className="sr-only"> {usuario.nome}</span>
        </Button>
        <Menu
          label={`Mais ações para ${usuario.nome}`}
          className="btn btn-ghost btn-icon btn-touch"
          button={<Ellipsis size={20} aria-hidden />}
          items={[
            { label: 'Ver', icon: <Eye size={18} aria-hidden />, run: () => onAction('ver', usuario) },
            ...(eu
              ? []
              : [
                  {
                    label: 'Excluir',
                    icon: <Trash2 size={18} aria-hidden />,
                    danger: true,
                    run: () => onAction('excluir', usuario),
                  },
                ]),
          ]}
        />
      </div>
      <ApproveWithPlano usuario={usuario} className="min-h-11" onApprove={approve} />
    </li>
  )
}
