import type { Pedido } from '@balcao/contract/entities/pedido'
import { Link } from '@tanstack/react-router'
import { FileCheck, SearchX, Store } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useConfig } from '#shared/data/config/use-config.ts'
import type { ListedPedidos } from '#shared/data/loja/pedidos.ts'
import { formatIsoDate } from '#shared/format.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { SearchField } from '#shared/ui/search-field.tsx'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { EmptyState, QueryState, Skeleton } from '#shared/ui/states.tsx'
import { PedidoBoard } from './pedido-board.tsx'
import { BOARD_STATUS } from './pedido-texts.ts'
import { PedidoDialogs, usePedidoActs } from './pedido-dialogs.tsx'
import { type PedidoMoves, usePedidoMoves, usePedidos, withMoves } from './use-pedidos.ts'

const CLOCK_MS = 30_000

function useClock(): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), CLOCK_MS)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}

const ExtratoDialog = lazy(async () => ({ default: (await import('./extrato-dialog.tsx')).ExtratoDialog }))

/** Money is a matter of the owner. */
function CheckExtrato() {
  const { tipo } = useUsuario()
  const [open, setOpen] = useState(false)
  if (tipo === 'operador') return null
  return (
    <>
      <Button size="touch" onClick={() => setOpen(true)}>
        <FileCheck size={18} aria-hidden /> Conferir extrato
      </Button>
      <Suspense>{open && <ExtratoDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

function PedidosBar({ busca, onSearch }: { busca: string; onSearch: (busca: string) => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <h2 className="flex-1 text-lg font-bold">Pedidos</h2>
      <CheckExtrato />
      <SearchField
        label="Buscar pedidos"
        hint="Número, cliente, telefone ou produto"
        maxLength={200}
        className="max-w-sm flex-1 basis-44"
        search={busca}
        onChange={onSearch}
      />
    </div>
  )
}

export function PedidosView() {
  const [busca, setBusca] = useState('')
  const nowMs = useClock()
  const query = usePedidos(busca, formatIsoDate(nowMs))
  return (
    <section aria-label="Pedidos" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PedidosBar busca={busca} onSearch={setBusca} />
      <QueryState query={query} skeleton={<BoardSkeleton />} drawCard>
        {(listed) => <Pedidos listed={listed} busca={busca} nowMs={nowMs} onClear={() => setBusca('')} />}
      </QueryState>
    </section>
  )
}

interface PedidosProps {
  readonly listed: ListedPedidos
  readonly busca: string
  readonly nowMs: number
  readonly onClear: () => void
}

function Pedidos({ listed, busca, nowMs, onClear }: PedidosProps) {
  const { config, source } = useConfig()
  const moves = usePedidoMoves()
  const pedidos = withMoves(listed.pedidos, moves)
  const off = source === 'servidor' && config?.loja.pedidos === false
  const empty = pedidos.every(({ status }) => status === 'cancelado')
  return (
    <>
      <p role="status" className="sr-only">
        {moves.announcement}
      </p>
      {off && !empty && (
        <Notice tone="info" title={OFF_TITLE}>
          {OFF_TEXT}
        </Notice>
      )}
      {empty && busca !== '' ? (
        <NoMatch onClear={onClear} />
      ) : empty ? (
        <NoPedidos off={off} />
      ) : (
        <BoardWithDialogs pedidos={pedidos} moves={moves} searching={busca !== ''} nowMs={nowMs} />
      )}
      {listed.more && (
        <p className="text-center text-sm text-muted">
          Cada etapa mostra os 100 pedidos mais recentes. Busque para achar os outros.
        </p>
      )}
    </>
  )
}

interface BoardWithDialogsProps {
  readonly pedidos: readonly Pedido[]
  readonly moves: PedidoMoves
  readonly searching: boolean
  readonly nowMs: number
}

function BoardWithDialogs({ pedidos, moves, searching, nowMs }: BoardWithDialogsProps) {
  const acts = usePedidoActs()
  return (
    <>
      <PedidoBoard
        pedidos={pedidos}
        searching={searching}
        nowMs={nowMs}
        itemsOf={acts.itemsOf}
        onOpen={({ id }) => acts.open(id)}
        onMove={(pedido, status) => void moves.move(pedido, status)}
      />
      <PedidoDialogs {...{ acts, pedidos, moves }} />
    </>
  )
}

const OFF_TITLE = 'Os pedidos pelo WhatsApp estão desligados'
const OFF_TEXT = 'O bot mostra os produtos, mas não fecha pedidos.'

function NoPedidos({ off }: { off: boolean }) {
  const { tipo } = useUsuario()
  const settings = off && tipo !== 'operador' && (
    <Link to="/dashboard" search={{ aba: 'loja', lista: 'ajustes' }} className="btn btn-primary btn-touch">
      Abrir os ajustes
    </Link>
  )
  return (
    <div className="card">
      <EmptyState
        title={off ? OFF_TITLE : 'Nenhum pedido hoje'}
        icon={<Store size={22} aria-hidden />}
        action={settings || undefined}
      >
        {off ? OFF_TEXT : 'Os pedidos dos clientes aparecem aqui na hora, com som.'}
      </EmptyState>
    </div>
  )
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <div className="card">
      <EmptyState
        title="Nenhum pedido encontrado"
        icon={<SearchX size={22} aria-hidden />}
        action={<Button onClick={onClear}>Limpar</Button>}
      >
        Procure pelo número, pelo cliente, pelo telefone ou por um produto.
      </EmptyState>
    </div>
  )
}

function BoardSkeleton() {
  const wide = useMediaQuery('(min-width: 70rem)')
  return (
    <div
      role="status"
      aria-busy="true"
      aria-label="Carregando os pedidos"
      className={wide ? 'grid grid-cols-4 gap-3' : 'grid gap-3'}
    >
      {BOARD_STATUS.map((status) => (
        <Skeleton key={status} className="h-40 rounded-card" />
      ))}
    </div>
  )
}
