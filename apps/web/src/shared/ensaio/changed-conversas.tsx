import type { Ensaio } from '@balcao/contract/entities/prova'
import { formatNumber } from '#shared/format.ts'
import { formatMarks } from '#shared/preview/format-marks.tsx'

interface ChangedConversasProps {
  readonly diferentes: Ensaio['diferentes']
  /** The list holds the newest ones. */
  readonly total: number
  readonly setores: readonly { readonly id: string; readonly nome: string }[]
}

export function ChangedConversas({ diferentes, total, setores }: ChangedConversasProps) {
  const nameOf = (id: string): string => setores.find((setor) => setor.id === id)?.nome ?? 'Setor removido'
  return (
    <section aria-label="Conversas que mudariam" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="font-bold">Conversas que mudariam</h3>
      {diferentes.length < total && (
        <p className="text-sm text-muted">
          As {formatNumber(diferentes.length)} mais recentes de {formatNumber(total)}.
        </p>
      )}
      {diferentes.map(({ conversaId, cliente, antes, depois, setores: reached }) => (
        <details key={conversaId} className="rounded-xl border">
          <summary className="px-3 py-3 text-sm font-semibold">{cliente}</summary>
          <div className="grid gap-3 p-3 pt-0 sm:grid-cols-2">
            <Side title="Antes" texts={antes} other={depois} setores={reached.antes.map(nameOf)} />
            <Side title="Depois" texts={depois} other={antes} setores={reached.depois.map(nameOf)} />
          </div>
        </details>
      ))}
    </section>
  )
}

interface SideProps {
  readonly title: string
  readonly texts: readonly string[]
  readonly other: readonly string[]
  readonly setores: readonly string[]
}

/** Texts that only this side has are marked, also for screen readers. */
function Side({ title, texts, other, setores }: SideProps) {
  return (
    <div className="min-w-0">
      <h4 className="text-sm font-semibold">{title}</h4>
      <ul className="mt-1 grid gap-1.5">
        {texts.map((text, index) => {
          const isNew = !other.includes(text)
          return (
            <li
              key={`${index} ${text}`}
              className={`rounded-xl px-3 py-2 text-sm whitespace-pre-wrap [overflow-wrap:anywhere] ${isNew ? 'bg-brand-soft font-semibold text-brand-ink' : 'bg-sunken text-muted'}`}
            >
              {isNew && <span className="sr-only">Mudou: </span>}
              {formatMarks(text)}
            </li>
          )
        })}
        {texts.length === 0 && <li className="text-sm text-muted">O bot não respondeu.</li>}
      </ul>
      {setores.length > 0 && <p className="mt-1 text-sm text-muted">Passou para {setores.join(' e ')}.</p>}
    </div>
  )
}
