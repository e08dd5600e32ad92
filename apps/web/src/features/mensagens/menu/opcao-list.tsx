import type { Setor } from '@balcao/contract/entities/config'
import { lazy, Suspense } from 'react'
import { IaOffNotice } from './ia-off-notice.tsx'
import { OpcaoView } from './opcao-view.tsx'
import type { MenuEditorState } from '#features/mensagens/use-menu-editor.ts'

// Lazy: only an editor needs the fields. Until they load, the read-only options stay.
const OpcoesEditor = lazy(async () => ({ default: (await import('./opcoes-editor.tsx')).OpcoesEditor }))

export interface OpcaoListProps {
  readonly editor: MenuEditorState
  readonly setores: readonly Setor[]
  readonly iaActive: boolean
  readonly highlighted: string | null
  readonly onHighlight: (numero: string | null) => void
}

export function OpcaoList(props: OpcaoListProps) {
  const { editor, iaActive } = props
  const mudas = iaActive ? [] : editor.rascunho.opcoes.filter(({ tipo }) => tipo === 'ia')
  return (
    <>
      {editor.editando ? (
        <Suspense fallback={<OpcoesView {...props} />}>
          <OpcoesEditor {...props} />
        </Suspense>
      ) : (
        <OpcoesView {...props} />
      )}
      {mudas.length > 0 && <IaOffNotice numeros={mudas.map(({ numero }) => numero)} />}
    </>
  )
}

function OpcoesView({ editor, setores, highlighted, onHighlight }: OpcaoListProps) {
  return (
    <ul className="grid gap-1">
      {editor.rascunho.opcoes.map((opcao) => (
        <OpcaoView
          key={opcao.key}
          opcao={opcao}
          setores={setores}
          highlighted={highlighted === opcao.numero}
          onHighlight={onHighlight}
        />
      ))}
    </ul>
  )
}
