import type { Contato } from '@balcao/contract/entities/contato'
import { contatosLoteRoute } from '@balcao/contract/routes/lote'
import { useQueryClient } from '@tanstack/react-query'
import { Tag, Tags } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { refusedCounts } from '#shared/data/batch-result.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import type { EtiquetaAct, EtiquetaChange } from '#shared/selection/etiqueta-choice.tsx'
import { SelectionFrame } from '#shared/selection/selection-frame.tsx'
import type { RowSelection } from '#shared/selection/use-row-selection.ts'
import { Button } from '#shared/ui/button.tsx'
import { refreshContatos } from './use-contatos.ts'

const EtiquetaChoice = lazy(async () => ({
  default: (await import('#shared/selection/etiqueta-choice.tsx')).EtiquetaChoice,
}))

/** The server takes at most so many in one request. */
const CONTATOS_MAX = 500

const countContatos = (count: number): string => (count === 1 ? '1 contato' : `${count} contatos`)

/** The refused ones stay chosen. */
function useTagContatos(rows: RowSelection) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const tag = async ({ nome, adicionar = [], remover = [] }: EtiquetaChange): Promise<void> => {
    if (busy) return
    setBusy(true)
    try {
      const lote = await call(contatosLoteRoute, { body: { contatoIds: [...rows.ids], adicionar, remover } })
      const done = remover.length > 0 ? 'saiu de' : 'está em'
      if (lote.feitas.length > 0) notify.sucesso(`${nome} ${done} ${countContatos(lote.feitas.length)}.`)
      if (lote.recusadas.length > 0) notify.erro(refusedCounts(lote))
      refreshContatos(client)
      rows.drop(lote.feitas)
    } catch (error) {
      notify.erro(`Os contatos não mudaram: ${errorMessage(error)}`)
    }
    setBusy(false)
  }
  return tag
}

interface ContatoSelectionBarProps {
  readonly rows: RowSelection
  readonly contatos: readonly Contato[]
}

export function ContatoSelectionBar({ rows, contatos }: ContatoSelectionBarProps) {
  const tag = useTagContatos(rows)
  const [act, setAct] = useState<EtiquetaAct | null>(null)
  const chosen = contatos.filter(({ id }) => rows.ids.has(id))
  const refused = chosen.length > CONTATOS_MAX
  const ask = (which: EtiquetaAct) => (): void => {
    if (!refused) setAct(which)
  }
  const count = countContatos(chosen.length)
  return (
    <SelectionFrame
      rows={rows}
      label="Contatos selecionados"
      count={chosen.length === 1 ? 'selecionado' : 'selecionados'}
      max={CONTATOS_MAX}
      listed={contatos.length}
      all={`Selecionar os ${Math.min(CONTATOS_MAX, contatos.length)} da lista`}
      className="card sticky top-15 z-10 bg-brand-soft px-1 pb-2"
    >
      <div className="flex flex-wrap gap-2 px-2">
        <Button size="touch" aria-disabled={refused} onClick={ask('adicionar')}>
          <Tag size={16} aria-hidden /> Pôr etiqueta
        </Button>
        <Button size="touch" aria-disabled={refused} onClick={ask('remover')}>
          <Tags size={16} aria-hidden /> Tirar etiqueta
        </Button>
      </div>
      <Suspense>
        {act !== null && (
          <EtiquetaChoice
            title={act === 'adicionar' ? `Pôr etiqueta em ${count}` : `Tirar etiqueta de ${count}`}
            acts={[act]}
            held={chosen.map(({ etiquetas }) => etiquetas)}
            onChoose={(change) => void tag(change)}
            onClose={() => setAct(null)}
          />
        )}
      </Suspense>
    </SelectionFrame>
  )
}
