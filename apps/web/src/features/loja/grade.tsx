import type { Produto } from '@balcao/contract/entities/produto'
import { startDrag } from './arrastar.ts'
import { ProdutoCard } from './cartao.tsx'
import type { Catalog } from './produtos.ts'
import { GRID_CLASS } from './vazios.tsx'

export interface ProdutoGridProps {
  readonly produtos: Catalog
  readonly onMove: (produto: Produto, alvo: Produto) => void
  readonly onToggle: (produto: Produto, ativo: boolean) => void
  readonly onEdit: (produto: Produto) => void
  readonly onView: (produto: Produto) => void
  readonly onDelete: (produto: Produto) => void
}

/** Cards in the customers' order. Under a filter a move skips the hidden products. */
export function ProdutoGrid({ produtos, onMove, onToggle, onEdit, onView, onDelete }: ProdutoGridProps) {
  const mover = (produto: Produto, para: number): void => {
    const alvo = produtos[para]
    if (alvo !== undefined) onMove(produto, alvo)
  }
  return (
    <ul aria-label="Produtos" className={GRID_CLASS}>
      {produtos.map((produto, indice) => (
        <ProdutoCard
          key={produto.id}
          produto={produto}
          first={indice === 0}
          last={indice === produtos.length - 1}
          onMove={(passo) => mover(produto, indice + passo)}
          onGrab={(evento) => startDrag(evento, (para) => mover(produto, para))}
          onToggle={(ativo) => onToggle(produto, ativo)}
          onEdit={() => onEdit(produto)}
          onView={() => onView(produto)}
          onDelete={() => onDelete(produto)}
        />
      ))}
    </ul>
  )
}
