import { Construction } from 'lucide-react'
import type { ReactNode } from 'react'

export function ManutencaoBanner({ acao }: { acao?: ReactNode }) {
  return (
    <div role="status" className="overflow-hidden rounded-card bg-warn-soft text-warn-ink">
      <div
        aria-hidden
        className="h-2 bg-[repeating-linear-gradient(-45deg,var(--warn-fill)_0_12px,transparent_12px_24px)]"
      />
      <div className="flex gap-3 p-4">
        <Construction size={20} aria-hidden className="mt-px flex-none" />
        <div className="min-w-0">
          <p className="font-bold">Modo de manutenção ligado</p>
          <p className="mt-1 text-sm">
            O bot está em silêncio. As mensagens que chegam são guardadas e não recebem resposta, nem depois. {acao}
          </p>
        </div>
      </div>
    </div>
  )
}
