import type { Linha } from '@balcao/contract/entities/linha'
import type { Operador } from '@balcao/contract/entities/operador'
import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ChoiceFrame, ChoiceItem } from '#features/equipe/setores.tsx'
import { servesNoLinha } from '#shared/conta/linha-look.ts'
import { useLinhas } from '#shared/conta/linhas.ts'
import { LinhaMark } from '#shared/conta/linha-mark.tsx'
import { Button } from '#shared/ui/button.tsx'

export interface LinhaDraft {
  readonly chosen: readonly string[]
  /** Empty until the choice changes: the server refuses the stored one of a person whose last line was deleted. */
  readonly body: { readonly linhas?: string[] }
  readonly choose: (linhas: string[]) => void
}

export function useLinhaDraft(operador: Operador | null): LinhaDraft {
  const [linhas, choose] = useState<string[]>()
  const body = linhas === undefined ? {} : { linhas }
  return { chosen: linhas ?? operador?.linhas ?? [], body, choose }
}

interface ServedLinhasProps {
  readonly draft: LinhaDraft
  readonly error: string | undefined
}

function hintOf(chosen: readonly string[]): ReactNode {
  if (servesNoLinha(chosen)) {
    return (
      <span className="font-semibold text-warn-ink">
        Nenhuma linha: escolha. A linha que a pessoa atendia foi excluída.
      </span>
    )
  }
  return chosen.length === 0
    ? 'A pessoa vê e atende as conversas de todas as linhas, também das que você criar.'
    : 'A pessoa vê e atende só as conversas das linhas marcadas.'
}

/** Nothing with one line, unless the person serves none. No choice means all lines. */
export function ServedLinhas({ draft: { chosen, choose }, error }: ServedLinhasProps) {
  const linhas = useLinhas()
  if (linhas.length < 2 && chosen.length === 0) return null
  const known = linhas.map(({ id }) => id)
  const kept = chosen.filter((id) => known.includes(id))
  return (
    <ChoiceFrame legend="Linhas que atende" hint={hintOf(chosen)} error={error}>
      <ChoiceItem name="linhas" checked={chosen.length === 0} onChange={(all) => choose(all ? [] : known)}>
        <span className="font-semibold">Todas</span>
      </ChoiceItem>
      {linhas.map((linha) => (
        <ChoiceItem
          key={linha.id}
          name="linhas"
          checked={kept.includes(linha.id)}
          onChange={(checked) => choose(checked ? [...kept, linha.id] : kept.filter((id) => id !== linha.id))}
        >
          <LinhaMark linha={linha} named className="font-semibold" />
        </ChoiceItem>
      ))}
    </ChoiceFrame>
  )
}

interface OperadorLinhasProps {
  readonly nome: string
  readonly chosen: readonly string[]
  readonly linhas: readonly Linha[]
  readonly onChoose: () => void
}

/** Nothing with one line, unless the person serves none. */
export function OperadorLinhas({ nome, chosen, linhas, onChoose }: OperadorLinhasProps) {
  if (servesNoLinha(chosen)) {
    return (
      <div>
        <Button
          size="sm"
          className="min-h-9 max-lg:min-h-11 border-transparent bg-warn-soft text-warn-ink"
          onClick={onChoose}
        >
          <TriangleAlert size={15} aria-hidden /> Nenhuma linha: escolha
          <span className="sr-only"> para {nome}</span>
        </Button>
      </div>
    )
  }
  if (linhas.length < 2) return null
  return (
    <ul aria-label={`Linhas de ${nome}`} className="flex min-w-0 flex-wrap gap-x-3 gap-y-1 text-sm text-muted">
      {chosen.length === 0 ? (
        <li>Todas as linhas</li>
      ) : (
        linhas
          .filter(({ id }) => chosen.includes(id))
          .map((linha) => (
            <li key={linha.id} className="flex max-w-full">
              <LinhaMark linha={linha} named />
            </li>
          ))
      )}
    </ul>
  )
}
