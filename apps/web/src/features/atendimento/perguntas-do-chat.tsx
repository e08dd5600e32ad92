import { Confirmar } from '#shared/ui/confirmar.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import type { ChatProps } from './chat.tsx'
import { Detalhes } from './detalhes.tsx'
import { Transferir } from './transferir.tsx'
import type { Acoes } from './use-acoes.ts'

export type Pergunta = 'finalizar' | 'devolver' | 'transferir' | 'detalhes' | null

interface PerguntasDoChatProps extends Pick<ChatProps, 'conversa' | 'setor' | 'setores'> {
  readonly acoes: Acoes
  readonly pergunta: Pergunta
  readonly fechar: () => void
}

export function PerguntasDoChat({ pergunta, fechar, conversa, setor, setores, acoes }: PerguntasDoChatProps) {
  const { nome } = conversa.cliente
  return (
    <>
      <Confirmar
        aberto={pergunta === 'finalizar'}
        titulo={`Finalizar a conversa com ${nome}?`}
        confirmar="Finalizar"
        onConfirmar={() => acoes.finalizar(conversa)}
        onFechar={fechar}
      >
        {conversa.pediuParada === true
          ? 'O cliente pediu PARAR: não recebe a despedida nem o pedido de avaliação.'
          : 'O cliente recebe a despedida e o pedido de avaliação.'}{' '}
        A conversa sai da lista e não pode mais ser respondida.
      </Confirmar>
      <Confirmar
        aberto={pergunta === 'devolver'}
        titulo={`Devolver ${nome} ao bot?`}
        confirmar="Devolver ao bot"
        onConfirmar={() => acoes.devolver(conversa)}
        onFechar={fechar}
      >
        O bot volta a responder e a conversa sai da lista. O cliente pode pedir um atendente de novo quando quiser.
      </Confirmar>
      {pergunta === 'transferir' && (
        <Transferir
          conversa={conversa}
          setores={setores}
          onFechar={fechar}
          onEscolher={(destino) => {
            fechar()
            void acoes.transferir(conversa, destino)
          }}
        />
      )}
      <Dialog aberto={pergunta === 'detalhes'} titulo={nome} onFechar={fechar}>
        <Detalhes conversa={conversa} setor={setor} />
      </Dialog>
    </>
  )
}
