import { Package, Plus, Search } from 'lucide-react'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, Skeleton } from '#shared/ui/states.tsx'

export function NoProdutos({ onNew, onSample }: { onNew: () => void; onSample: () => void }) {
  return (
    <div className="card">
      <EmptyState
        title="Cadastre o primeiro produto"
        icon={<Package size={22} aria-hidden />}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button variant="primary" className="min-h-11" onClick={onNew}>
              <Plus size={18} aria-hidden /> Cadastrar produto
            </Button>
            <Button className="min-h-11" onClick={onSample}>
              Começar de um exemplo
            </Button>
          </div>
        }
      >
        O bot mostra sua loja na conversa: o cliente escolhe pelo número e recebe a foto, o preço e o link de compra.
      </EmptyState>
    </div>
  )
}

export function NoMatchingProdutos({ onClear }: { onClear: () => void }) {
  return (
    <div className="card">
      <EmptyState
        title="Nada com este filtro"
        icon={<Search size={22} aria-hidden />}
        action={<Button onClick={onClear}>Limpar</Button>}
      >
        Nenhum produto combina com a busca e a situação escolhidas.
      </EmptyState>
    </div>
  )
}

export function LojaSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label="Carregando os produtos" className="grid gap-6">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {[0, 1, 2, 3].map((figure) => (
          <Skeleton key={figure} className="h-24 rounded-card" />
        ))}
      </div>
      <Skeleton className="h-11 w-full" />
      <div className={GRID_CLASS}>
        {[0, 1, 2, 3].map((card) => (
          <Skeleton key={card} className="h-72 rounded-card" />
        ))}
      </div>
    </div>
  )
}

export const GRID_CLASS = 'grid gap-3 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4'
