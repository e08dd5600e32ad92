import type { Produto } from '@balcao/contract/entities/produto'
import { arrastar } from './arrastar.ts'
import { Cartao } from './cartao.tsx'
import type { Catalogo } from './produtos.ts'
import { GRADE } from './vazios.tsx'

export interface GradeProps {
  readonly produtos: Catalogo
  readonly onMover: (produto: Produto, alvo: Produto) => void
  readonly onAlternar: (produto: Produto, ativo: boolean) => void
  readonly onEditar: (produto: Produto) => void
  readonly onVer: (produto: Produto) => void
  readonly onExcluir: (produto: Produto) => void
}

/** Cards in the customers' order. Under a filter a move skips the hidden products. */
export function Grade({ produtos, onMover, onAlternar, onEditar, onVer, onExcluir }: GradeProps) {
  const mover = (produto: Produto, para: number): void => {
    const alvo = produtos[para]
    if (alvo !== undefined) onMover(produto, alvo)
  }
  return (
    <ul aria-label="Produtos" className={GRADE}>
      {produtos.map((produto, indice) => (
        <Cartao
          key={produto.id}
          produto={produto}
          primeiro={indice === 0}
          ultimo={indice === produtos.length - 1}
          onMover={(passo) => mover(produto, indice + passo)}
          onPegar={(evento) => arrastar(evento, (para) => mover(produto, para))}
          onAlternar={(ativo) => onAlternar(produto, ativo)}
          onEditar={() => onEditar(produto)}
          onVer={() => onVer(produto)}
          onExcluir={() => onExcluir(produto)}
        />
      ))}
    </ul>
  )
}
