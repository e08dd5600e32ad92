import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { OpcaoRow } from './opcao-row.tsx'
import type { OpcaoListProps } from './opcao-list.tsx'
import { addOpcao, numeroError, moveOpcao, updateOpcao, updateOpcaoTipo } from './menu-draft.ts'

export function OpcoesEditor({ editor, setores, highlighted, onHighlight }: OpcaoListProps) {
  const { rascunho, mudar, remover } = editor
  const [arrastada, setArrastada] = useState<string | null>(null)
  const [anuncio, setAnuncio] = useState('')
  const move = (chave: string, para: number): void => {
    mudar((current) => moveOpcao(current, chave, para))
    const title = rascunho.opcoes.find((opcao) => opcao.key === chave)?.titulo ?? ''
    setAnuncio(`${title} movida para a posição ${para + 1} de ${rascunho.opcoes.length}`)
  }
  return (
    <>
      <ul className="grid gap-2.5">
        {rascunho.opcoes.map((opcao, index) => (
          <OpcaoRow
            key={opcao.key}
            opcao={opcao}
            setores={setores}
            first={index === 0}
            last={index === rascunho.opcoes.length - 1}
            highlighted={highlighted === opcao.numero}
            error={numeroError(rascunho, opcao)}
            onChange={(fields) => mudar((current) => updateOpcao(current, opcao.key, fields))}
            onTypeChange={(tipo) => mudar((current) => updateOpcaoTipo(current, opcao.key, tipo))}
            onMove={(step) => move(opcao.key, index + step)}
            onRemove={() => remover(opcao.key)}
            onHighlight={onHighlight}
            onDragStart={() => setArrastada(opcao.key)}
            onDrop={() => {
              if (arrastada !== null) move(arrastada, index)
              setArrastada(null)
            }}
          />
        ))}
      </ul>
      <p role="status" className="sr-only">
        {anuncio}
      </p>
      <Button className="mt-3 max-sm:min-h-11 max-sm:w-full" onClick={() => mudar(addOpcao)}>
        <Plus size={16} aria-hidden /> Adicionar opção
      </Button>
    </>
  )
}
