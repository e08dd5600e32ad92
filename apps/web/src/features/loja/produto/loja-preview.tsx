import type { Produto } from '@balcao/contract/entities/produto'
import type { Config, OpcaoMenu } from '@balcao/contract/entities/config'
import { useDeferredValue, useState } from 'react'
import { useConfig } from '#shared/data/config/use-config.ts'
import { useUsuario } from '#shared/session.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { type Catalog, toLojaProduto } from '#shared/data/produtos.ts'
import { LOJA_POR_PAGINA, RESPOSTA_LOJA_PADRAO } from '@balcao/contract/constants'
import type { BotContext, ProdutoLoja } from '@balcao/engine/context'
import { ChatPhone } from '#features/loja/chat-phone.tsx'
import { initialPreview, previewReducer, type PreviewState } from '#shared/preview/preview-state.ts'
import type { Bubble } from '#shared/preview/transcript.ts'

interface LojaPreviewProps {
  readonly produto: Produto
  readonly catalog: Catalog
}

export function LojaPreview(props: LojaPreviewProps) {
  const { config } = useConfig()
  return config === null ? (
    <Skeleton className="h-96 w-full rounded-[2.2rem]" />
  ) : (
    <LojaPhone config={config} {...props} />
  )
}

function LojaPhone({ config, produto, catalog }: LojaPreviewProps & { readonly config: Config }) {
  const { empresa } = useUsuario()
  const [now] = useState(Date.now)
  const seen = useDeferredValue(produto)
  const { bubbles, numero } = lojaConversaOf({ config, empresa, catalogo: catalog }, seen, now)
  return (
    <ChatPhone label="Como aparece no WhatsApp" {...{ empresa, bubbles }} highlighted={numero} end={seen.imagemUrl}>
      {!seen.ativo && (
        <p className="mt-3 rounded-xl bg-warn-soft px-3 py-2 text-sm font-semibold text-warn-ink">
          Inativo: os clientes não veem este produto. Fica assim quando você ativar.
        </p>
      )}
    </ChatPhone>
  )
}

export function ProdutoPreviewDialog({ onClose, ...preview }: LojaPreviewProps & { readonly onClose: () => void }) {
  return (
    <Dialog open title="Como aparece no WhatsApp" onClose={onClose}>
      <LojaPreview {...preview} />
    </Dialog>
  )
}

interface LojaConversa {
  readonly bubbles: readonly Bubble[]
  readonly numero: string
}

const DEFAULT_OPCAO: OpcaoMenu = { numero: '1', titulo: 'Ver produtos', tipo: 'loja', resposta: RESPOSTA_LOJA_PADRAO }

function lojaContext(config: Config, empresa: string, produtos: readonly ProdutoLoja[]): BotContext {
  const opcao = config.menu.opcoes.find(({ tipo }) => tipo === 'loja') ?? DEFAULT_OPCAO
  return { config: { ...config, menu: { ...config.menu, opcoes: [opcao] } }, empresa, produtos, iaAvailable: false }
}

function highlightLine(bolhas: readonly Bubble[], numero: string): Bubble[] {
  return bolhas.map((bubble) => {
    if (bubble.tipo !== 'bot') return bubble
    const line = bubble.texto.split('\n').findIndex((text) => text.startsWith(`*${numero}* - `))
    return line < 0 ? bubble : { ...bubble, opcoes: new Map([[line, numero]]) }
  })
}

/**
 * Runs the bot engine: the list page with the product, then the product. An inactive product counts as active.
 * The current time is in ms.
 */
function lojaConversaOf(
  { config, empresa, catalogo }: { config: Config; empresa: string; catalogo: Catalog },
  produto: Produto,
  now: number,
): LojaConversa {
  const others = catalogo.filter(({ id, ativo }) => ativo && id !== produto.id)
  const active = [...others, produto].toSorted((a, b) => a.ordem - b.ordem)
  const contexto = lojaContext(config, empresa, active.map(toLojaProduto))
  const index = active.indexOf(produto)
  const numero = String(index + 1)
  const input = contexto.config.menu.opcoes[0]?.numero ?? DEFAULT_OPCAO.numero
  const folheadas = Array.from({ length: Math.floor(index / LOJA_POR_PAGINA) }, () => 'mais')
  const send = (state: PreviewState, texto: string): PreviewState =>
    previewReducer(state, { tipo: 'enviar', texto, agora: now, contexto })
  const { bubbles } = ['oi', input, ...folheadas, numero].reduce(send, initialPreview(now))
  const perguntas = bubbles.flatMap(({ tipo }, position) => (tipo === 'cliente' ? [position] : []))
  return { bubbles: highlightLine(bubbles.slice(perguntas.at(-2)), numero), numero }
}
