import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import { Download, Ellipsis, Plus, Search, Tags, Upload } from 'lucide-react'
import { useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { downloadBlob } from '#shared/download.ts'
import { formatIsoDate } from '#shared/format.ts'
import { useTypedSearch } from '#shared/hooks/use-typed-search.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { Menu, type MenuItem } from '#shared/ui/menu.tsx'
import { type ContatoSearch, fetchExport } from './use-contatos.ts'

export interface ContatosBarProps {
  readonly search: ContatoSearch
  readonly etiquetas: readonly Etiqueta[]
  readonly onSearch: (search: ContatoSearch) => void
  readonly onNew: () => void
  readonly onEtiquetas: () => void
  readonly onImport: () => void
}

export function ContatosBar({ search, etiquetas, onSearch, onNew, ...open }: ContatosBarProps) {
  const typed = useTypedSearch(search.busca, (busca) => onSearch({ ...search, busca }))
  return (
    <div className="flex flex-wrap items-center gap-2 sm:gap-3">
      <div className="relative min-w-0 flex-1 basis-64 max-sm:basis-full">
        <Search size={18} aria-hidden className="absolute top-1/2 left-3 -translate-y-1/2 text-muted" />
        <input
          type="search"
          aria-label="Buscar contatos"
          placeholder="Nome, telefone ou @usuário"
          maxLength={120}
          className="field min-h-11 pl-10"
          value={typed.texto}
          onChange={({ currentTarget }) => typed.setTexto(currentTarget.value)}
          onBlur={typed.sair}
        />
      </div>
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

/** Only the owner imports and exports. */
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
