import { lazy } from 'react'
import { useSearch } from '@tanstack/react-router'
import { useConfig } from '#shared/data/config/use-config.ts'
import { useUsuario } from '#shared/session.tsx'
import { LazyPart } from '#shared/ui/lazy-part.tsx'
import { PartsNav } from '#shared/ui/parts-nav.tsx'
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
      {shown.length > 1 && (
        <PartsNav
          label="Partes da loja"
          aba="loja"
          parts={VIEWS.filter(({ lista }) => shown.includes(lista))}
          current={current}
        />
      )}
      <LojaPart lista={current} />
    </div>
  )
}
