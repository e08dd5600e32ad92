import type { Setor } from '@balcao/contract/entities/config'
import { lazy, Suspense } from 'react'
import { AvisoDaIa } from './aviso-da-ia.tsx'
import { OpcaoLida } from './opcao-lida.tsx'
import type { Editor } from './use-editor.ts'

// Lazy: only an editor needs the fields. Until they load, the read-only options stay.
const OpcoesEmEdicao = lazy(async () => ({ default: (await import('./opcoes-em-edicao.tsx')).OpcoesEmEdicao }))

export interface ListaDeOpcoesProps {
  readonly editor: Editor
  readonly setores: readonly Setor[]
  readonly iaAtiva: boolean
  readonly destaque: string | null
  readonly onDestacar: (numero: string | null) => void
}

export function ListaDeOpcoes(props: ListaDeOpcoesProps) {
  const { editor, iaAtiva } = props
  const mudas = iaAtiva ? [] : editor.rascunho.opcoes.filter(({ tipo }) => tipo === 'ia')
  return (
    <>
      {editor.editando ? (
        <Suspense fallback={<OpcoesLidas {...props} />}>
          <OpcoesEmEdicao {...props} />
        </Suspense>
      ) : (
        <OpcoesLidas {...props} />
      )}
      {mudas.length > 0 && <AvisoDaIa numeros={mudas.map(({ numero }) => numero)} />}
    </>
  )
}

function OpcoesLidas({ editor, setores, destaque, onDestacar }: ListaDeOpcoesProps) {
  return (
    <ul className="grid gap-1">
      {editor.rascunho.opcoes.map((opcao) => (
        <OpcaoLida
          key={opcao.chave}
          opcao={opcao}
          setores={setores}
          destacada={destaque === opcao.numero}
          onDestacar={onDestacar}
        />
      ))}
    </ul>
  )
}
