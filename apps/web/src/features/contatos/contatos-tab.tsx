import { type ReactNode, Suspense, lazy, useMemo, useState } from 'react'
import { BookUser, Download, Ellipsis, Plus, SearchX, Tags, Upload } from 'lucide-react'
import type { Contato } from '@balcao/contract/entities/contato'
import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import { useEtiquetas } from '#shared/data/contatos/etiquetas.ts'
import { EmptyState, QueryState, Skeleton } from '#shared/ui/states.tsx'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { downloadBlob } from '#shared/download.ts'
import { formatIsoDate } from '#shared/format.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { SearchField } from '#shared/ui/search-field.tsx'
import { focusedRowId, type RowSelection, useRowSelection } from '#shared/selection/use-row-selection.ts'
import { Menu, type MenuItem } from '#shared/ui/menu.tsx'
import { ContatoList } from './contato-list.tsx'
import { type ContatoSearch, fetchExport, useContatoList, useNewContatos } from './use-contatos.ts'

interface ContatosBarProps {
  readonly search: ContatoSearch
  readonly etiquetas: readonly Etiqueta[]
  readonly onSearch: (search: ContatoSearch) => void
  readonly onNew: () => void
  readonly onEtiquetas: () => void
  readonly onImport: () => void
}

function ContatosBar({ search, etiquetas, onSearch, onNew, ...open }: ContatosBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-2 sm:gap-3">
      <SearchField
        label="Buscar contatos"
        hint="Nome, telefone ou @usuário"
        className="min-w-0 flex-1 basis-64 max-sm:basis-full"
        search={search.busca}
        onChange={(busca) => onSearch({ ...search, busca })}
      />
      <select
        aria-label="Filtrar por etiqueta"
        className="field min-h-11 w-auto max-w-52 min-w-0 text-ellipsis max-sm:max-w-none max-sm:flex-1"
        value={search.etiqueta}
        onChange={({ currentTarget }) => onSearch({ ...search, etiqueta: currentTarget.value })}
      >
        <option value="">Todas as etiquetas</option>
        {etiquetas.map(({ id, nome }) => (
          <option key={id} value={id}>
            {nome}
          </option>
        ))}
      </select>
      <div className="flex flex-none gap-2">
        <Button variant="primary" className="min-h-11" onClick={onNew}>
          <Plus size={18} aria-hidden />
          <span>
            Novo<span className="max-sm:sr-only"> contato</span>
          </span>
        </Button>
        <MoreMenu {...open} />
      </div>
    </div>
  )
}

function MoreMenu({ onEtiquetas, onImport }: Pick<ContatosBarProps, 'onEtiquetas' | 'onImport'>) {
  const { tipo } = useUsuario()
  const [exporting, setExporting] = useState(false)
  const exportAll = async (): Promise<void> => {
    setExporting(true)
    try {
      downloadBlob(`contatos-${formatIsoDate(Date.now())}.csv`, await fetchExport())
    } catch (error) {
      notify.erro(`Os contatos não foram exportados: ${errorMessage(error)}`)
    }
    setExporting(false)
  }
  const ofOwner: MenuItem[] = [
    { label: 'Importar contatos', icon: <Upload size={16} aria-hidden />, run: onImport },
    {
      label: exporting ? 'Exportando…' : 'Exportar contatos',
      icon: <Download size={16} aria-hidden />,
      run: () => void (exporting || exportAll()),
    },
  ]
  const etiquetas = { label: 'Etiquetas', icon: <Tags size={16} aria-hidden />, run: onEtiquetas }
  return (
    <Menu
      label="Mais ações dos contatos"
      className="btn btn-outline btn-icon min-h-11 min-w-11"
      button={<Ellipsis size={18} aria-hidden />}
      items={tipo === 'operador' ? [etiquetas] : [etiquetas, ...ofOwner]}
    />
  )
}

function NoContatos({ onNew, onImport }: { readonly onNew: () => void; readonly onImport: () => void }) {
  const { tipo } = useUsuario()
  return (
    <div className="card">
      <EmptyState
        title="Nenhum contato ainda"
        icon={<BookUser size={22} aria-hidden />}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button variant="primary" size="touch" onClick={onNew}>
              Novo contato
            </Button>
            {tipo !== 'operador' && (
              <Button size="touch" onClick={onImport}>
                Importar
              </Button>
            )}
          </div>
        }
      >
        Quem escreve para a loja aparece aqui. Você também pode anotar ou importar contatos.
      </EmptyState>
    </div>
  )
}

function NoMatchingContatos({ onClear }: { readonly onClear: () => void }) {
  return (
    <div className="card">
      <EmptyState
        title="Nenhum contato encontrado"
        icon={<SearchX size={22} aria-hidden />}
        action={
          <Button size="touch" onClick={onClear}>
            Limpar filtros
          </Button>
        }
      >
        Procure por parte do nome, do telefone ou do usuário com @.
      </EmptyState>
    </div>
  )
}

const ContatoDialog = lazy(async () => ({ default: (await import('./contato-dialog.tsx')).ContatoDialog }))
const EtiquetasDialog = lazy(async () => ({
  default: (await import('./etiquetas/etiquetas-dialog.tsx')).EtiquetasDialog,
}))
const ImportDialog = lazy(async () => ({ default: (await import('./import/import-dialog.tsx')).ImportDialog }))
const WriteToContato = lazy(async () => ({ default: (await import('./write-to-contato.tsx')).WriteToContato }))

const ContatoSelectionBar = lazy(async () => ({
  default: (await import('./contato-selection-bar.tsx')).ContatoSelectionBar,
}))

/** X chooses the row with the focus, Escape clears. */
function useContatoRows(contatos: readonly Contato[]): RowSelection {
  const rows = useRowSelection(contatos)
  useHotkeys({
    x: () => {
      const id = focusedRowId()
      if (id !== null) rows.toggle(id, false)
    },
    Escape: rows.clear,
  })
  return rows
}

interface ContatosHeadProps {
  readonly rows: RowSelection
  readonly contatos: readonly Contato[]
  readonly children: ReactNode
}

/** The search, or the acts on the chosen rows in its place. */
function ContatosHead({ rows, contatos, children }: ContatosHeadProps) {
  const count = rows.ids.size
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {count > 0 && `${count} ${count === 1 ? 'contato selecionado' : 'contatos selecionados'}`}
      </p>
      {count === 0 ? (
        children
      ) : (
        <Suspense fallback={children}>
          <ContatoSelectionBar rows={rows} contatos={contatos} />
        </Suspense>
      )}
    </>
  )
}

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
  const contatos = useMemo(() => list.data?.pages.flatMap((page) => page.contatos) ?? [], [list.data])
  const rows = useContatoRows(contatos)
  useNewContatos(search)
  const close = (): void => setDialog(null)
  const edit = (contatoId: string): void => setDialog({ tipo: 'editar', contatoId })
  const open = (tipo: 'novo' | 'etiquetas' | 'importar') => (): void => setDialog({ tipo })
  return (
    <section aria-label="Contatos" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ContatosHead rows={rows} contatos={contatos}>
        <ContatosBar
          search={search}
          etiquetas={etiquetas}
          onSearch={setSearch}
          onNew={open('novo')}
          onEtiquetas={open('etiquetas')}
          onImport={open('importar')}
        />
      </ContatosHead>
      <QueryState query={list} skeleton={<ListSkeleton />} drawCard>
        {() => {
          if (contatos.length > 0) {
            return (
              <ContatoList
                contatos={contatos}
                etiquetas={etiquetas}
                rows={rows}
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
