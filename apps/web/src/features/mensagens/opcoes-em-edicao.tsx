import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { LinhaDaOpcao } from './linha-da-opcao.tsx'
import type { ListaDeOpcoesProps } from './lista-de-opcoes.tsx'
import { adicionarOpcao, faltaDoNumero, moverOpcao, mudarOpcao, mudarTipo } from './rascunho.ts'

export function OpcoesEmEdicao({ editor, setores, destaque, onDestacar }: ListaDeOpcoesProps) {
  const { rascunho, mudar, remover } = editor
  const [arrastada, setArrastada] = useState<string | null>(null)
  const [anuncio, setAnuncio] = useState('')
  const mover = (chave: string, para: number): void => {
    mudar((atual) => moverOpcao(atual, chave, para))
    const titulo = rascunho.opcoes.find((opcao) => opcao.chave === chave)?.titulo ?? ''
    setAnuncio(`${titulo} movida para a posição ${para + 1} de ${rascunho.opcoes.length}`)
  }
  return (
    <>
      <ul className="grid gap-2.5">
        {rascunho.opcoes.map((opcao, indice) => (
          <LinhaDaOpcao
            key={opcao.chave}
            opcao={opcao}
            setores={setores}
            primeira={indice === 0}
            ultima={indice === rascunho.opcoes.length - 1}
            destacada={destaque === opcao.numero}
            erro={faltaDoNumero(rascunho, opcao)}
            onMudar={(campos) => mudar((atual) => mudarOpcao(atual, opcao.chave, campos))}
            onTipo={(tipo) => mudar((atual) => mudarTipo(atual, opcao.chave, tipo))}
            onMover={(passo) => mover(opcao.chave, indice + passo)}
            onRemover={() => remover(opcao.chave)}
            onDestacar={onDestacar}
            onArrastar={() => setArrastada(opcao.chave)}
            onSoltar={() => {
              if (arrastada !== null) mover(arrastada, indice)
              setArrastada(null)
            }}
          />
        ))}
      </ul>
      <p role="status" className="sr-only">
        {anuncio}
      </p>
      <Button className="mt-3 max-sm:min-h-11 max-sm:w-full" onClick={() => mudar(adicionarOpcao)}>
        <Plus size={16} aria-hidden /> Adicionar opção
      </Button>
    </>
  )
}
