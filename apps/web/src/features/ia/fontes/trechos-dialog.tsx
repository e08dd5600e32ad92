import type { Fonte, TrechoLido } from '@balcao/contract/entities/fonte'
import { trechosFonteRoute } from '@balcao/contract/routes/ia-fontes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { EmptyState, QueryState, Skeleton } from '#shared/ui/states.tsx'
import { TrechoText } from './trecho-text.tsx'

function useTrechos({ id, lidaEm }: Fonte) {
  return useInfiniteQuery({
    // A source that was read again has other pieces.
    queryKey: ['ia', 'trechos', id, lidaEm],
    queryFn: ({ pageParam, signal }) =>
      call(trechosFonteRoute, { params: { id }, query: pageParam === '' ? {} : { cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ proximoCursor }) => proximoCursor,
    networkMode: 'always',
  })
}

function placeOf({ ordem, pagina, secao }: TrechoLido): string {
  return [
    `Trecho ${ordem}`,
    ...(pagina === undefined ? [] : [`página ${pagina}`]),
    ...(secao === '' ? [] : [secao]),
  ].join(' · ')
}

/** The fonte as the assistant reads it: cut into pieces. */
export function TrechosDialog({ fonte, onClose }: { readonly fonte: Fonte; readonly onClose: () => void }) {
  const query = useTrechos(fonte)
  return (
    <Dialog open width="lg" title={`Trechos de ${fonte.titulo}`} onClose={onClose}>
      <QueryState query={query} skeleton={<TrechosSkeleton />}>
        {({ pages }) => {
          const trechos = pages.flatMap((page) => page.trechos)
          if (trechos.length === 0) {
            return (
              <EmptyState title="Nenhum trecho ainda">
                {fonte.estado === 'lendo'
                  ? 'A fonte está sendo lida. Volte em instantes.'
                  : 'Nada foi lido desta fonte.'}
              </EmptyState>
            )
          }
          return (
            <div className="grid gap-3">
              <p className="text-sm text-muted">
                A IA lê estes trechos, e só os que tratam da pergunta. Confira se os preços e os prazos estão certos.
              </p>
              <ol className="grid gap-2">
                {trechos.map((trecho) => (
                  <li key={trecho.ordem} className="rounded-card border p-3">
                    <TrechoText place={placeOf(trecho)} text={trecho.trecho} />
                  </li>
                ))}
              </ol>
              {query.hasNextPage && (
                <Button size="touch" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {query.isFetchingNextPage ? 'Carregando…' : 'Mostrar mais'}
                </Button>
              )}
            </div>
          )
        }}
      </QueryState>
    </Dialog>
  )
}

function TrechosSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label="Carregando os trechos" className="grid gap-2">
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-24 w-full" />
    </div>
  )
}
