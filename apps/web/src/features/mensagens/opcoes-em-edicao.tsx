import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { OpcaoRow } from './linha-da-opcao.tsx'
import type { OpcaoListProps } from './lista-de-opcoes.tsx'
import { addOpcao, numeroError, moveOpcao, updateOpcao, updateOpcaoTipo } from './rascunho.ts'

export function OpcoesEditor({ editor, setores, highlighted, onHighlight }: OpcaoListProps) {
  const { rascunho, mudar, remover } = editor
  const [arrastada, setArrastada] = useState<string | null>(null)
  const [anuncio, setAnuncio] = useState('')
  const mover = (chave: string, para: number): void => {
    mudar((atual) => moveOpcao(atual, chave, para))
    const titulo = rascunho.opcoes.find((opcao) => opcao.key === chave)?.titulo ?? ''
    setAnuncio(`${titulo} movida para a posição ${para + 1} de ${rascunho.opcoes.length}`)
  }
  return (
    <>
      <ul className="grid gap-2.5">
        {rascunho.opcoes.map((opcao, indice) => (
          <OpcaoRow
            key={opcao.key}
            opcao={opcao}
            setores={setores}
            first={indice === 0}
            last={indice === rascunho.opcoes.length - 1}
            highlighted={highlighted === opcao.numero}
            error={numeroError(rascunho, opcao)}
            onChange={(campos) => mudar((atual) => updateOpcao(atual, opcao.key, campos))}
            onTypeChange={(tipo) => mudar((atual) => updateOpcaoTipo(atual, opcao.key, tipo))}
            onMove={(passo) => mover(opcao.key, indice + passo)}
            onRemove={() => remover(opcao.key)}
            onHighlight={onHighlight}
            onDragStart={() => setArrastada(opcao.key)}
            onDrop={() => {
              if (arrastada !== null) mover(arrastada, indice)
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
