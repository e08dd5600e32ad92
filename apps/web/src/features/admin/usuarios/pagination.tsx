import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatNumber } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import type { UsuarioListFilter } from '#features/admin/admin-search.ts'
import { USUARIOS_PER_PAGE } from '#features/admin/admin-queries.ts'

export interface PaginationProps {
  readonly filter: UsuarioListFilter
  readonly total: number
  readonly onGoTo: (page: number) => void
}

export function Pagination({ filter: { pagina }, total, onGoTo }: PaginationProps) {
  const last = Math.max(1, Math.ceil(total / USUARIOS_PER_PAGE))
  const first = (pagina - 1) * USUARIOS_PER_PAGE + 1
  const passou = pagina > last
  const onde = passou
    ? 'Esta página não existe mais'
    : `${formatNumber(first)}–${formatNumber(Math.min(total, pagina * USUARIOS_PER_PAGE))} de ${formatNumber(total)}`
  return (
    <nav aria-label="Páginas" className="flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="text-sm text-muted tabular-nums">
        {onde}
      </p>
      {(last > 1 || passou) && (
        <div className="flex gap-2">
          <Button className="min-h-11" disabled={pagina === 1} onClick={() => onGoTo(Math.min(pagina - 1, last))}>
            <ChevronLeft size={18} aria-hidden /> Anterior
          </Button>
          <Button className="min-h-11" disabled={pagina >= last} onClick={() => onGoTo(pagina + 1)}>
            Próxima <ChevronRight size={18} aria-hidden />
          </Button>
        </div>
      )}
    </nav>
  )
}
