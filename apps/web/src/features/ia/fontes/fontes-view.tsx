import type { Fonte } from '@balcao/contract/entities/fonte'
import { BookOpen, Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useFontes } from '#shared/ia/fontes.ts'
import { type GapDraft, useGapDraft } from '#shared/ia/gap-draft.ts'
import { Button } from '#shared/ui/button.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { EmptyState, QueryState, Skeleton } from '#shared/ui/states.tsx'
import { FonteItem } from './fonte-item.tsx'
import { TrySearch } from './try-search.tsx'
import { useFonteActions } from './use-fonte-actions.ts'

const AddFonte = lazy(async () => ({ default: (await import('./add-fonte.tsx')).AddFonte }))
const TrechosDialog = lazy(async () => ({ default: (await import('./trechos-dialog.tsx')).TrechosDialog }))

type OpenDialog =
  | { readonly tipo: 'nova'; readonly draft?: GapDraft }
  | { readonly tipo: 'trechos' | 'excluir'; readonly fonte: Fonte }

/** Questions of customers that a source was written for, by the id of the source. */
type Taught = Readonly<Record<string, readonly string[]>>

/** The texts, files and sites that the assistant may answer from. */
export function FontesView() {
  const query = useFontes()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [taught, setTaught] = useState<Taught>({})
  useGapDraft('conhecimento', (draft) => setDialog({ tipo: 'nova', draft }))
  const add = (
    <Button variant="primary" className="min-h-11" onClick={() => setDialog({ tipo: 'nova' })}>
      <Plus size={18} aria-hidden /> Nova fonte
    </Button>
  )
  return (
    <section aria-label="O que a IA sabe" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 flex-1 basis-72">
          <h2 id="fontes-da-ia" tabIndex={-1} className="text-lg font-bold">
            O que a IA sabe
          </h2>
          <p className="max-w-[62ch] text-sm text-muted">
            Os produtos e o horário ela já conhece. Aqui você dá o resto: regras de entrega, trocas, perguntas comuns.
          </p>
        </div>
        {query.data !== undefined && query.data.length > 0 && add}
      </div>
      <QueryState query={query} skeleton={<FontesSkeleton />} drawCard>
        {(fontes) =>
          fontes.length === 0 ? (
            <div className="card">
              <EmptyState title="Dê à IA o que ler" icon={<BookOpen size={22} aria-hidden />} action={add}>
                Cole um texto, mande um PDF ou informe o seu site. A IA procura a resposta ali e não inventa.
              </EmptyState>
            </div>
          ) : (
            <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
              <FonteRows fontes={fontes} taught={taught} onAct={setDialog} />
              <TrySearch />
            </div>
          )
        }
      </QueryState>
      <Suspense>
        {dialog?.tipo === 'nova' && (
          <AddFonte
            draft={dialog.draft}
            onCreated={({ id }) => setTaught((others) => ({ ...others, [id]: dialog.draft?.exemplos ?? [] }))}
            onClose={() => setDialog(null)}
          />
        )}
        {dialog?.tipo === 'trechos' && <TrechosDialog fonte={dialog.fonte} onClose={() => setDialog(null)} />}
      </Suspense>
      {dialog?.tipo === 'excluir' && <DeleteFonte fonte={dialog.fonte} onClose={() => setDialog(null)} />}
    </section>
  )
}

interface FonteRowsProps {
  readonly fontes: readonly Fonte[]
  readonly taught: Taught
  readonly onAct: (dialog: OpenDialog) => void
}

function FonteRows({ fontes, taught, onAct }: FonteRowsProps) {
  return (
    <ul aria-label="Fontes da IA" className="card divide-y">
      {fontes.map((fonte) => (
        <FonteItem
          key={fonte.id}
          fonte={fonte}
          perguntas={taught[fonte.id]}
          onTrechos={() => onAct({ tipo: 'trechos', fonte })}
          onDelete={() => onAct({ tipo: 'excluir', fonte })}
        />
      ))}
    </ul>
  )
}

function DeleteFonte({ fonte, onClose }: { readonly fonte: Fonte; readonly onClose: () => void }) {
  const { remove } = useFonteActions()
  return (
    <ConfirmDialog
      open
      title={`Excluir “${fonte.titulo}”?`}
      confirmLabel="Excluir fonte"
      onConfirm={() => remove(fonte)}
      onClose={onClose}
    >
      A IA deixa de responder com o que está nela. As respostas já enviadas aos clientes ficam como estão.
    </ConfirmDialog>
  )
}

function FontesSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label="Carregando as fontes" className="grid gap-3">
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-20 w-full" />
    </div>
  )
}
