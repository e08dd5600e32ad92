import { useState } from 'react'
import type { Config } from '@balcao/contract/entities/config'
import { type Catalog, toLojaProduto } from '#shared/data/produtos.ts'
import { useUsuario } from '#shared/session.tsx'
import { ChatPhone } from '#features/loja/chat-phone.tsx'
import { orderConversaOf } from './order-conversa.ts'

interface ShopSettingsPreviewProps {
  readonly config: Config
  readonly catalog: Catalog
}

/** The conversa of a customer who orders, by the draft of the settings. */
export function ShopSettingsPreview({ config, catalog }: ShopSettingsPreviewProps) {
  const { empresa } = useUsuario()
  const [now] = useState(Date.now)
  const produtos = catalog.filter(({ ativo }) => ativo).map(toLojaProduto)
  const bubbles = orderConversaOf({ config, empresa, produtos, iaAvailable: false }, now)
  return (
    <ChatPhone label="Conversa do cliente" empresa={empresa} bubbles={bubbles} end={bubbles.length}>
      <p className="mt-3 text-center text-sm text-muted">
        {config.loja.pedidos
          ? 'A prévia já usa os ajustes que você está editando.'
          : 'Com os pedidos desligados, o bot só mostra os produtos.'}
      </p>
    </ChatPhone>
  )
}
