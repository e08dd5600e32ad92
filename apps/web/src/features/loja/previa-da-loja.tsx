import type { Produto } from '@balcao/contract/entities/produto'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { useConfig } from '#shared/dados/config.ts'
import { PreviewMessages } from '#shared/preview/conversa.tsx'
import { useUsuario } from '#shared/session.tsx'
import { lojaConversaOf } from './conversa-da-loja.ts'
import type { Catalog } from './produtos.ts'

export interface LojaPreviewProps {
  readonly produto: Produto
  readonly catalog: Catalog
}

const noop = (): void => undefined

export function LojaPreview({ produto, catalog }: LojaPreviewProps) {
  const { config } = useConfig()
  const { empresa } = useUsuario()
  const [agora] = useState(Date.now)
  const visto = useDeferredValue(produto)
  const { bubbles, numero } = lojaConversaOf({ config, empresa, catalogo: catalog }, visto, agora)
  const quadro = useRef<HTMLElement>(null)
  const descer = (): void => {
    const parede = quadro.current?.querySelector<HTMLElement>('[role=log]')
    if (!parede) return
    // Taller than other previews, to show list and product together.
    parede.style.height = 'min(31rem, 60dvh)'
    parede.scrollTop = parede.scrollHeight
  }
  // The product is the last bubble.
  useEffect(descer, [visto.imagemUrl])
  return (
    <section ref={quadro} aria-label="Como aparece no WhatsApp" className="mx-auto w-full max-w-[22rem]">
      <div className="overflow-hidden rounded-[2.2rem] border-[7px] border-[oklch(0.23_0.022_168)] bg-surface shadow-pop dark:border-line">
        <p className="flex items-center gap-3 border-b px-4 py-2.5 font-bold">
          <span aria-hidden className="grid size-9 flex-none place-items-center rounded-full bg-brand text-on-brand">
            {empresa.trim().slice(0, 1).toUpperCase()}
          </span>
          <span className="truncate">{empresa}</span>
        </p>
        <div onLoadCapture={descer}>
          <PreviewMessages preview={{ bubbles, typing: false, skip: noop }} highlighted={numero} />
        </div>
      </div>
      {!visto.ativo && (
        <p className="mt-3 rounded-xl bg-warn-soft px-3 py-2 text-sm font-semibold text-warn-ink">
          Inativo: os clientes não veem este produto. Fica assim quando você ativar.
        </p>
      )}
    </section>
  )
}
