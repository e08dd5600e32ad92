import { lazy } from 'react'
import { Link, useSearch } from '@tanstack/react-router'
import clsx from 'clsx'
import { useConfig } from '#shared/data/config/use-config.ts'
import { useUsuario } from '#shared/session.tsx'
import { LazyPart } from '#shared/ui/lazy-part.tsx'
import { ProdutosView } from './catalogo/produtos-view.tsx'

const PedidosView = lazy(async () => ({ default: (await import('#shared/pedidos/pedidos-view.tsx')).PedidosView }))
const ShopSettingsView = lazy(async () => ({
  default: (await import('./ajustes/shop-settings-view.tsx')).ShopSettingsView,
}))
const CuponsView = lazy(async () => ({ default: (await import('./cupons/cupons-view.tsx')).CuponsView }))

const VIEWS = [
  { lista: undefined, label: 'Produtos' },
  { lista: 'pedidos', label: 'Pedidos' },
  { lista: 'ajustes', label: 'Ajustes' },
  { lista: 'cupons', label: 'Cupons' },
] as const

type Lista = (typeof VIEWS)[number]['lista']

/** Shops without orders have produtos and, for the owner, settings. */
function listasFor(owner: boolean, orders: boolean, asked: string | undefined): readonly Lista[] {
  return VIEWS.map(({ lista }) => lista).filter((lista) => {
    switch (lista) {
      case undefined:
        return true
      case 'pedidos':
        return orders || asked === lista
      case 'ajustes':
        return owner
      case 'cupons':
        return owner && (orders || asked === lista)
    }
  })
}

interface LojaPartsProps {
  readonly shown: readonly Lista[]
  readonly current: Lista
}

function LojaParts({ shown, current }: LojaPartsProps) {
  return (
    <nav aria-label="Partes da loja" className="flex flex-wrap gap-1 justify-self-start rounded-xl bg-sunken p-1">
      {VIEWS.filter(({ lista }) => shown.includes(lista)).map(({ lista, label }) => (
        <Link
          key={label}
          to="/dashboard"
          search={{ aba: 'loja', lista }}
          aria-current={lista === current ? 'page' : undefined}
          className={clsx(
            'grid min-h-11 place-items-center rounded-lg px-3 text-sm font-semibold',
            lista === current ? 'bg-surface shadow-card' : 'text-muted',
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

function LojaPart({ lista }: { readonly lista: Lista }) {
  switch (lista) {
    case undefined:
      return <ProdutosView />
    case 'pedidos':
      return (
        <LazyPart name="os pedidos">
          <PedidosView />
        </LazyPart>
      )
    case 'ajustes':
      return (
        <LazyPart name="os ajustes">
          <ShopSettingsView />
        </LazyPart>
      )
    case 'cupons':
      return (
        <LazyPart name="os cupons">
          <CuponsView />
        </LazyPart>
      )
  }
}

export function LojaTab() {
  const asked = useSearch({ strict: false, select: ({ lista }) => lista })
  const { tipo } = useUsuario()
  const { config } = useConfig()
  const shown = listasFor(tipo !== 'operador', config?.loja.pedidos === true, asked)
  const current = shown.find((lista) => lista === asked)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {shown.length > 1 && <LojaParts shown={shown} current={current} />}
      <LojaPart lista={current} />
    </div>
  )
}
