import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import {
  ArrowLeft,
  ArrowLeftRight,
  BellOff,
  Bot,
  EllipsisVertical,
  Hand,
  Info,
  MessageCircleDashed,
} from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { usePresentes } from '#shared/dados/presenca.ts'
import { formatPhone } from '#shared/format.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Menu, type MenuItem } from '#shared/ui/menu.tsx'
import { Compositor } from './compositor.tsx'
import { ROTULO_DO_STATUS } from './filtros.ts'
import { Mensagens } from './mensagens.tsx'
import { type Pergunta, PerguntasDoChat } from './perguntas-do-chat.tsx'
import { escreverRascunho, lerRascunho } from './rascunhos.ts'
import { duracao, minutosDesde, useAgora } from './tempo.ts'
import { useArquivos } from './use-arquivos.ts'
import { useAcoes } from './use-acoes.ts'
import { useEnvio } from './use-envio.ts'
import { useMarcas } from './use-marcas.ts'
import { comOutraPessoa } from './vez.ts'
import { marcarNaoLida } from './vistos.ts'

const PorQue = lazy(async () => ({ default: (await import('#shared/ia/por-que.tsx')).PorQue }))
const AcoesDaMensagem = lazy(async () => ({ default: (await import('./marcas.tsx')).AcoesDaMensagem }))
const Citando = lazy(async () => ({ default: (await import('./marcas.tsx')).Citando }))
const Anexar = lazy(async () => ({ default: (await import('./anexar.tsx')).Anexar }))

export interface ChatProps {
  readonly conversa: Conversa
  readonly setor: Pick<Setor, 'nome' | 'cor'>
  readonly setores: readonly Setor[]
  readonly copia: boolean
  readonly largo: boolean
  readonly onFechar: () => void
}

function Situacao({ conversa, setor }: Pick<ChatProps, 'conversa' | 'setor'>) {
  const agora = useAgora()
  const { id } = useUsuario()
  const { status, operador, operadorId, aguardandoDesde, cliente } = conversa
  const presentes = usePresentes()
  const dele = operadorId !== undefined && operadorId !== id && presentes.has(operadorId) ? ' (online)' : ''
  const quem = operador === undefined ? '' : ` com ${operadorId === id ? 'você' : `${operador}${dele}`}`
  const situacao =
    status === 'aguardando'
      ? `Aguardando há ${duracao(minutosDesde(aguardandoDesde, agora)).replace('agora', 'menos de 1 min')}`
      : `${ROTULO_DO_STATUS[status]}${quem}`
  return (
    <p className="truncate text-xs text-muted">
      {situacao} · {setor.nome} · {formatPhone(cliente.telefone)}
    </p>
  )
}

/** The AI's prompt is visible only to the dono, and only if the account may use the AI. */
function useExplica(): boolean {
  const { tipo, componentesPermitidos } = useUsuario()
  return tipo === 'admin' || (tipo === 'usuario' && componentesPermitidos.iaChatbot)
}

export function Chat(props: ChatProps) {
  const { conversa, setor, copia, largo, onFechar } = props
  const envio = useEnvio()
  const acoes = useAcoes()
  const arquivos = useArquivos(conversa)
  const [pergunta, setPergunta] = useState<Pergunta>(null)
  const [explicada, setExplicada] = useState<string | null>(null)
  const explica = useExplica()
  const titulo = useRef<HTMLHeadingElement>(null)
  const aberta = conversa.status !== 'finalizada' && !copia
  const podeEscrever = aberta && envio.limite === null && !comOutraPessoa(conversa, useUsuario().id)
  const ocupada = acoes.ocupada === conversa.id
  const marcas = useMarcas(conversa, podeEscrever)
  useEffect(() => titulo.current?.focus({ preventScroll: true }), [])

  // Must stay the same function, or every memoized bubble re-renders.
  const { reenviar: reenviarAgora } = envio
  const reenviar = useCallback((id: string) => void reenviarAgora(conversa.id, id), [reenviarAgora, conversa.id])

  const enviar = async (texto: string): Promise<void> => {
    const { citada } = marcas
    marcas.citar(null)
    if (!(await envio.enviar(conversa, texto, citada))) marcas.citar(citada)
  }
  const enviarArquivos = (escolhidos: readonly File[], legenda: string): void => {
    arquivos.enviar(escolhidos, legenda, marcas.citada)
    marcas.citar(null)
  }
  const perguntar = (qual: Pergunta) => () => {
    if (aberta) setPergunta(qual)
  }
  const assumir = async (): Promise<void> => {
    if (aberta && conversa.status === 'aguardando' && !ocupada) await acoes.assumir(conversa)
  }
  // The clicked button disappears. With a mouse the focus goes to the field, on touch to the title, so that no
  // keyboard opens.
  const assumirComOPonteiro = async (): Promise<void> => {
    await assumir()
    const campo = document.querySelector<HTMLElement>('[data-compositor]')
    if (matchMedia('(pointer: fine)').matches) campo?.focus()
    else titulo.current?.focus()
  }
  const deixarParaDepois = (): void => {
    if (!aberta) return
    marcarNaoLida(conversa.id)
    onFechar()
  }
  useHotkeys({
    u: deixarParaDepois,
    a: () => void assumir(),
    t: perguntar('transferir'),
    e: perguntar('finalizar'),
    // Opening the chat focuses the title: Enter jumps from there to the field.
    Enter: (tecla) => {
      if (tecla.target !== titulo.current) return
      tecla.preventDefault()
      document.querySelector<HTMLElement>('[data-compositor]')?.focus()
    },
  })

  const mais: readonly MenuItem[] = [
    ...(largo
      ? []
      : [{ rotulo: 'Detalhes', icone: <Info size={18} aria-hidden />, fazer: () => setPergunta('detalhes') }]),
    ...(aberta
      ? [
          {
            rotulo: 'Marcar como não lida',
            icone: <MessageCircleDashed size={18} aria-hidden />,
            fazer: deixarParaDepois,
          },
          { rotulo: 'Devolver ao bot', icone: <Bot size={18} aria-hidden />, fazer: perguntar('devolver') },
        ]
      : []),
  ]
  return (
    <section
      aria-labelledby="quem"
      className="relative flex min-h-0 min-w-0 flex-1 flex-col"
      data-conversa-aberta
      {...(podeEscrever ? arquivos.soltar : {})}
    >
      <header className="flex items-center gap-1 border-b bg-surface px-2 py-1 lg:px-4 lg:py-2">
        <IconButton
          rotulo="Voltar às conversas"
          dica={false}
          className="!size-11 lg:hidden"
          icone={<ArrowLeft size={20} aria-hidden />}
          onClick={onFechar}
        />
        <div className="min-w-0 flex-1">
          <div className="flex items-center gap-2">
            <h2 id="quem" ref={titulo} tabIndex={-1} className="truncate font-bold outline-none">
              {conversa.cliente.nome}
            </h2>
            {conversa.pediuParada === true && (
              <Chip className="flex-none">
                <BellOff aria-hidden className="size-3.5" /> Pediu PARAR
              </Chip>
            )}
          </div>
          <Situacao conversa={conversa} setor={setor} />
        </div>
      </header>
      <Mensagens
        conversa={conversa}
        onReenviar={aberta ? reenviar : undefined}
        onPorQue={explica ? setExplicada : undefined}
        onAcoes={marcas.abrir}
      />

      <div
        role="group"
        aria-label="Ações da conversa"
        className="pe-do-chat flex items-center gap-1 border-t bg-surface px-2 pt-2 sm:gap-2 sm:px-3"
      >
        {aberta && conversa.status === 'aguardando' && (
          <Button
            variante="primary"
            className="min-h-11 flex-1 px-2 lg:flex-none lg:px-4"
            ocupado={ocupada}
            aria-keyshortcuts="a"
            title="Assumir (A)"
            onClick={() => void assumirComOPonteiro()}
          >
            {!ocupada && <Hand size={18} aria-hidden className="max-[21.5rem]:hidden" />} Assumir
          </Button>
        )}
        {aberta && (
          <>
            <Button
              className="min-h-11 flex-1 px-2 lg:flex-none lg:px-4"
              aria-keyshortcuts="t"
              title="Transferir (T)"
              disabled={ocupada}
              onClick={perguntar('transferir')}
            >
              <ArrowLeftRight size={18} aria-hidden className="max-sm:hidden" /> Transferir
            </Button>
            <Button
              className="min-h-11 flex-1 px-2 lg:flex-none lg:px-4"
              aria-keyshortcuts="e"
              title="Finalizar (E)"
              disabled={ocupada}
              onClick={perguntar('finalizar')}
            >
              Finalizar
            </Button>
          </>
        )}
        {mais.length > 0 && (
          <Menu
            rotulo="Mais ações"
            botao={<EllipsisVertical size={20} aria-hidden />}
            itens={mais}
            className="btn btn-ghost btn-icon ml-auto !size-11"
          />
        )}
      </div>
      <Compositor
        conversa={conversa}
        limite={envio.limite}
        copia={copia}
        onEnviar={(texto) => void enviar(texto)}
        onAnexar={arquivos.escolher}
        onAudio={(audio) => enviarArquivos([audio], '')}
        onSair={() => titulo.current?.focus()}
      >
        <Suspense>
          {marcas.citada !== null && <Citando mensagem={marcas.citada} onTirar={() => marcas.citar(null)} />}
        </Suspense>
      </Compositor>
      {arquivos.sobre && (
        <p className="pointer-events-none absolute inset-2 z-10 grid place-items-center rounded-2xl border-2 border-dashed border-brand bg-surface/90 text-lg font-bold text-brand-ink">
          Solte para enviar a {conversa.cliente.nome}
        </p>
      )}
      <Suspense>
        {arquivos.escolhidos.length > 0 && (
          <Anexar
            arquivos={arquivos.escolhidos}
            para={conversa.cliente.nome}
            citada={marcas.citada}
            legendaInicial={lerRascunho(conversa.id)}
            onMudar={arquivos.escolher}
            onFechar={() => arquivos.escolher([])}
            onEnviar={(escolhidos, legenda) => {
              escreverRascunho(conversa.id, '')
              enviarArquivos(escolhidos, legenda)
            }}
          />
        )}
        {marcas.escolhida !== null && (
          <AcoesDaMensagem
            key={marcas.escolhida.mensagem.id}
            conversaId={conversa.id}
            escolhida={marcas.escolhida}
            onResponder={marcas.citar}
            onFechar={marcas.fechar}
          />
        )}
        {explicada !== null && <PorQue mensagemId={explicada} onClose={() => setExplicada(null)} />}
      </Suspense>
      <PerguntasDoChat {...props} acoes={acoes} pergunta={pergunta} fechar={() => setPergunta(null)} />
    </section>
  )
}
