import type { Setor } from '@balcao/contract/entities/config'
import type { Linha } from '@balcao/contract/entities/linha'
import { Plus } from 'lucide-react'
import { useUsageStats } from '#shared/data/use-usage-stats.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { LinhaCard, type OpenLinhaDialog } from './linha-card.tsx'

interface LinhaSectionProps {
  readonly linhas: readonly Linha[]
  readonly setores: readonly Setor[]
  readonly hasClientId: boolean
  readonly onDialog: (dialog: OpenLinhaDialog) => void
}

/** Cards of the lines, the main one first. */
export function LinhaSection({ linhas, setores, hasClientId, onDialog }: LinhaSectionProps) {
  const owner = useUsuario().tipo !== 'operador'
  const limite = useUsageStats().data?.limiteLinhas
  return (
    <section aria-labelledby="linhas">
      <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id="linhas" tabIndex={-1} className="text-lg font-bold">
          Linhas
        </h2>
        <p className="mr-auto text-sm text-muted tabular-nums">
          {limite === undefined ? linhas.length : `${linhas.length} de ${limite}`}
        </p>
        {owner && (
          <Button onClick={() => onDialog({ act: 'criar' })}>
            <Plus aria-hidden className="size-4" /> Adicionar uma linha
          </Button>
        )}
      </div>
      <ul className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
        {linhas.map((linha) => (
          <LinhaCard
            key={linha.id}
            {...{ linha, setores, hasClientId, owner }}
            onAct={(act) => onDialog({ act, id: linha.id })}
          />
        ))}
      </ul>
    </section>
  )
}
