import type { Produto } from '@balcao/contract/entities/produto'
import { startDrag } from './drag.ts'
import { ProdutoCard } from './produto-card.tsx'
import type { Catalog } from '#shared/data/produtos.ts'
import { GRID_CLASS } from './loja-empty-states.tsx'

export interface ProdutoGridProps {
  readonly produtos: Catalog
  readonly onMove: (produto: Produto, target: Produto) => void
  readonly onToggle: (produto: Produto, active: boolean) => void
  readonly onEdit: (produto: Produto) => void
  readonly onView: (produto: Produto) => void
  readonly onDelete: (produto: Produto) => void
}

/** Cards in the customers' order. Under a filter a move skips the hidden products. */
export function ProdutoGrid({ produtos, onMove, onToggle, onEdit, onView, onDelete }: ProdutoGridProps) {
  const move = (produto: Produto, para: number): void => {
    const target = produtos[para]
    if (target !== undefined) onMove(produto, target)
  }
  return (
    <ul aria-label="Produtos" className={GRID_CLASS}>
      {produtos.map((produto, index) => (
        <ProdutoCard
          key={produto.id}
          produto={produto}
          first={index === 0}
          last={index === produtos.length - 1}
          onMove={(step) => move(produto, index + step)}
          onGrab={(event) => startDrag(event, (para) => move(produto, para))}
          onToggle={(active) => onToggle(produto, active)}
          onEdit={() => onEdit(produto)}
          onView={() => onView(produto)}
          onDelete={() => onDelete(produto)}
        />
      ))}
    </ul>
  )
}
