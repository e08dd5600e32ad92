import type { Contato } from '@balcao/contract/entities/contato'
import { lazy, Suspense, useState } from 'react'
import { useEtiquetas } from '#shared/data/contatos/etiquetas.ts'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { ContatoList } from './contato-list.tsx'
import { ContatosBar } from './contatos-bar.tsx'
import { NoContatos, NoMatchingContatos } from './empty-states.tsx'
import { type ContatoSearch, useContatoList, useNewContatos } from './use-contatos.ts'

const ContatoDialog = lazy(async () => ({ default: (await import('./contato-dialog.tsx')).ContatoDialog }))
const EtiquetasDialog = lazy(async () => ({
  default: (await import('./etiquetas/etiquetas-dialog.tsx')).EtiquetasDialog,
}))
const ImportDialog = lazy(async () => ({ default: (await import('./import/import-dialog.tsx')).ImportDialog }))
const WriteToContato = lazy(async () => ({ default: (await import('./write-to-contato.tsx')).WriteToContato }))

const EVERYTHING: ContatoSearch = { busca: '', etiqueta: '' }

type OpenDialog =
  | { readonly tipo: 'novo' | 'etiquetas' | 'importar' }
  /** `contatoId` of a known number is read first. */
  | { readonly tipo: 'editar'; readonly contatoId: string }
  | { readonly tipo: 'escrever'; readonly contato: Contato }

export function ContatosTab() {
  const [search, setSearch] = useState(EVERYTHING)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const { data: etiquetas = [] } = useEtiquetas()
  const list = useContatoList(search)
  useNewContatos(search)
  const close = (): void => setDialog(null)
  const edit = (contatoId: string): void => setDialog({ tipo: 'editar', contatoId })
  const open = (tipo: 'novo' | 'etiquetas' | 'importar') => (): void => setDialog({ tipo })
  return (
    <section aria-label="Contatos" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ContatosBar
        search={search}
        etiquetas={etiquetas}
        onSearch={setSearch}
        onNew={open('novo')}
        onEtiquetas={open('etiquetas')}
        onImport={open('importar')}
      />
      <QueryState query={list} skeleton={<ListSkeleton />} drawCard>
        {({ pages }) => {
          const contatos = pages.flatMap((page) => page.contatos)
          if (contatos.length > 0) {
            return (
              <ContatoList
                contatos={contatos}
                etiquetas={etiquetas}
                outdated={list.isPlaceholderData}
                more={list.hasNextPage}
                loadingMore={list.isFetchingNextPage}
                onMore={() => void list.fetchNextPage()}
                onEdit={edit}
                onWrite={(contato) => setDialog({ tipo: 'escrever', contato })}
              />
            )
          }
          if (search.busca === '' && search.etiqueta === '') {
            return <NoContatos onNew={open('novo')} onImport={open('importar')} />
          }
          return <NoMatchingContatos onClear={() => setSearch(EVERYTHING)} />
        }}
      </QueryState>
      <Suspense>
        {dialog?.tipo === 'novo' && <ContatoDialog contatoId={null} onOpen={edit} onClose={close} />}
        {dialog?.tipo === 'editar' && (
          <ContatoDialog key={dialog.contatoId} contatoId={dialog.contatoId} onOpen={edit} onClose={close} />
        )}
        {dialog?.tipo === 'escrever' && <WriteToContato contato={dialog.contato} onClose={close} />}
        {dialog?.tipo === 'etiquetas' && <EtiquetasDialog onClose={close} />}
        {dialog?.tipo === 'importar' && <ImportDialog onClose={close} />}
      </Suspense>
    </section>
  )
}

function ListSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label="Carregando os contatos" className="card grid gap-3 p-4">
      {[1, 2, 3, 4, 5, 6].map((line) => (
        <Skeleton key={line} className="h-12 w-full" />
      ))}
    </div>
  )
}
