import { MessageSquareQuote, Plus } from 'lucide-react'
import { Button } from '#shared/ui/button.tsx'
import { SairSemSalvar } from '#shared/ui/sair-sem-salvar.tsx'
import { SaveBar } from '#shared/ui/save-bar.tsx'
import { EmptyState, Leitura, Skeleton } from '#shared/ui/states.tsx'
import { LinhaDaResposta } from './linha-da-resposta.tsx'
import { RESPOSTAS_NO_MAXIMO } from './rascunho-de-respostas.ts'
import { useEditorDeRespostas } from './use-editor-de-respostas.ts'
import { type RespostasLidas, useRespostas } from './use-respostas.ts'

function Esqueleto() {
  return (
    <div role="status" aria-label="Carregando as respostas" aria-busy="true" className="card divide-y">
      {[0, 1, 2].map((linha) => (
        <div key={linha} className="grid gap-3 p-4 sm:grid-cols-[12rem_1fr]">
          <Skeleton className="h-10" />
          <Skeleton className="h-16" />
        </div>
      ))}
    </div>
  )
}

export function Respostas() {
  return (
    <Leitura emCartao consulta={useRespostas()} esqueleto={<Esqueleto />}>
      {(lidas) => <Editor lidas={lidas} />}
    </Leitura>
  )
}

function Editor({ lidas }: { lidas: RespostasLidas }) {
  const editor = useEditorDeRespostas(lidas)
  const { rascunho, faltas, saida } = editor
  const adicionar = (
    <Button
      variante={rascunho.length === 0 ? 'primary' : 'outline'}
      className="min-h-11"
      disabled={rascunho.length >= RESPOSTAS_NO_MAXIMO}
      onClick={editor.adicionar}
    >
      <Plus size={18} aria-hidden /> Adicionar resposta
    </Button>
  )
  return (
    <div>
      {rascunho.length === 0 ? (
        <div className="card">
          <EmptyState
            titulo="Nenhuma resposta rápida"
            icone={<MessageSquareQuote size={22} aria-hidden />}
            acao={adicionar}
          >
            Guarde aqui o que você mais escreve. Na conversa, digite <b>/</b> e escolha pelo nome curto.
          </EmptyState>
        </div>
      ) : (
        <>
          <ol aria-label="Respostas rápidas" className="card divide-y">
            {rascunho.map((resposta, indice) => (
              <LinhaDaResposta
                key={resposta.chave}
                resposta={resposta}
                falta={faltas[resposta.chave] ?? {}}
                primeira={indice === 0}
                ultima={indice === rascunho.length - 1}
                posicao={indice + 1}
                onMudar={(campos) => editor.mudar(resposta.chave, campos)}
                onMover={(passo) => editor.mover(resposta.chave, passo)}
                onRemover={() => editor.remover(resposta.chave)}
              />
            ))}
          </ol>
          <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
            {adicionar}
            <p className="text-sm text-muted tabular-nums">
              {rascunho.length} de {RESPOSTAS_NO_MAXIMO}
            </p>
          </div>
        </>
      )}
      <p role="status" className="sr-only">
        {editor.anuncio}
      </p>
      <SaveBar
        alterado={editor.alterado}
        salvando={editor.salvando}
        onDescartar={editor.descartar}
        onSalvar={() => void editor.salvar()}
      />
      <SairSemSalvar guarda={saida}>O que você mudou nas respostas rápidas se perde.</SairSemSalvar>
    </div>
  )
}
