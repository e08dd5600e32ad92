import type { Setor } from '@balcao/contract/entities/config'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import type { MenuEditorState } from '#features/mensagens/use-menu-editor.ts'
import { OpcaoRow } from './opcao-row.tsx'
import { addOpcao, numeroError, moveOpcao, updateOpcao, updateOpcaoTipo } from './menu-draft.ts'

export interface OpcaoListProps {
  readonly editor: MenuEditorState
  readonly setores: readonly Setor[]
  readonly iaActive: boolean
  readonly highlighted: string | null
  readonly onHighlight: (numero: string | null) => void
}

export function OpcoesEditor({ editor, setores, highlighted, onHighlight }: OpcaoListProps) {
  const { draft, change, remove } = editor
  const [dragged, setDragged] = useState<string | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const move = (key: string, to: number): void => {
    change((current) => moveOpcao(current, key, to))
    const title = draft.opcoes.find((opcao) => opcao.key === key)?.titulo ?? ''
    setAnnouncement(`${title} movida para a posição ${to + 1} de ${draft.opcoes.length}`)
  }
  return (
    <>
      <ul className="grid gap-2.5">
        {draft.opcoes.map((opcao, index) => (
          <OpcaoRow
            key={opcao.key}
            opcao={opcao}
            setores={setores}
            first={index === 0}
            last={index === draft.opcoes.length - 1}
            highlighted={highlighted === opcao.numero}
            error={numeroError(draft, opcao)}
            onChange={(fields) => change((current) => updateOpcao(current, opcao.key, fields))}
            onTypeChange={(tipo) => change((current) => updateOpcaoTipo(current, opcao.key, tipo))}
            onMove={(step) => move(opcao.key, index + step)}
            onRemove={() => remove(opcao.key)}
            onHighlight={onHighlight}
            onDragStart={() => setDragged(opcao.key)}
            onDrop={() => {
              if (dragged !== null) move(dragged, index)
              setDragged(null)
            }}
          />
        ))}
      </ul>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <Button className="mt-3 max-sm:min-h-11 max-sm:w-full" onClick={() => change(addOpcao)}>
        <Plus size={16} aria-hidden /> Adicionar opção
      </Button>
    </>
  )
}
