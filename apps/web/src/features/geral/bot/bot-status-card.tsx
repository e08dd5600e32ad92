import type { BotStatus, MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'
import { parseStatusBot } from '@balcao/contract/bot-status'
import { Play, Square, Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { BOT_STATUS_LABELS, statusTone } from '#shared/data/status-labels.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { ConnectionName } from './qr-card.tsx'
import { TEXTO_DO_MOTIVO } from '@balcao/contract/errors'

const CIRCLE_CLASS: Readonly<Record<StepState, string>> = {
  feita: 'border-brand bg-brand text-on-brand',
  atual: 'border-brand text-ink',
  falhou: 'border-danger bg-danger-soft text-danger-ink',
  futura: 'border-line text-muted',
}

const STEP_SPOKEN: Readonly<Record<StepState, string>> = {
  feita: 'concluída',
  atual: 'etapa atual',
  falhou: 'falhou',
  futura: 'ainda não',
}

function StepMark({ situacao, numero }: { situacao: StepState; numero: number }) {
  if (situacao === 'feita') return <Check aria-hidden className="size-3.5" />
  if (situacao === 'falhou') return <X aria-hidden className="size-3.5" />
  return <span aria-hidden>{numero}</span>
}

function StepLine({ status }: { status: string }) {
  const situacoes = botStepStates(status)
  return (
    <ol aria-label="Etapas da conexão" className="grid grid-cols-4">
      {BOT_STEPS.map((etapa, index) => {
        const situation = situacoes[index] ?? 'futura'
        const percorrida = situation !== 'futura'
        return (
          <li
            key={etapa}
            aria-current={situation === 'atual' ? 'step' : undefined}
            className="relative flex flex-col items-center gap-1.5 px-0.5 text-center"
          >
            {index > 0 && (
              <span
                aria-hidden
                className={`absolute top-3 right-[calc(50%+0.75rem)] left-[calc(-50%+0.75rem)] h-0.5 -translate-y-1/2 ${percorrida ? 'bg-brand' : 'bg-line'}`}
              />
            )}
            <span
              className={`relative grid size-6 place-items-center rounded-full border-2 text-xs font-bold ${CIRCLE_CLASS[situation]}`}
            >
              <StepMark situacao={situation} numero={index + 1} />
            </span>
            <span
              className={`text-[0.69rem] leading-tight sm:text-xs ${situation === 'atual' ? 'font-bold' : 'font-semibold text-muted'}`}
            >
              {etapa}
              <span className="sr-only"> ({STEP_SPOKEN[situation]})</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function StatusLabel({ valor }: { valor: string }) {
  const status = parseStatusBot(valor)
  return <Chip tone={statusTone(valor)}>{status === null ? 'Desconhecido' : BOT_STATUS_LABELS[status]}</Chip>
}

interface BotStatusCardProps {
  readonly bot: BotStatus
  readonly known: boolean
  readonly connection: string
  readonly hasClientId: boolean
  readonly online: boolean
  readonly busy: boolean
  readonly onStart: () => void
  readonly onStop: () => void
  /** Gives up the link of a machine that is off and asks for a new code. */
  readonly onRelink: () => void
  readonly children?: ReactNode
}

function syncHint(status: string, online: boolean): string | null {
  if (!online) return null
  return parseStatusBot(status) === 'PARADO' ? 'Status sendo verificado' : 'Sincronizado'
}

function StartButton({ bot, busy, hasClientId, onStart, onRelink }: BotStatusCardProps) {
  const machineOff = bot.motivo === 'maquinaFora'
  return (
    <Button
      variant="primary"
      busy={busy}
      disabled={!hasClientId}
      aria-describedby={hasClientId ? undefined : 'por-que-nao-inicia'}
      onClick={machineOff ? onRelink : onStart}
    >
      {!busy && <Play aria-hidden className="size-4" />} {machineOff ? 'Conectar em outra máquina' : 'Iniciar bot'}
    </Button>
  )
}

export function BotStatusCard(props: BotStatusCardProps) {
  const { bot, known, connection, hasClientId, online, busy, onStop, children } = props
  const running = bot.isRunning || bot.inicializado
  const { text, fix } = known ? explainStatus(bot.status, bot.motivo, bot.modoTeste) : UNKNOWN_STATUS
  const hint = syncHint(bot.status, online)
  return (
    <section aria-labelledby="status-do-bot" className="card flex flex-col p-4 sm:p-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="status-do-bot" tabIndex={-1} className="text-lg font-bold">
          Status do Bot
        </h2>
        <StatusLabel valor={bot.status} />
      </div>
      <ConnectionName name={connection} className="mt-1" />
      <div className="mt-5">
        <StepLine status={bot.status} />
      </div>
      <div className="mt-5 text-sm" role="status">
        <p className="text-muted">{text}</p>
        {fix !== undefined && <p className="mt-1.5 font-semibold">{fix}</p>}
      </div>
      {children !== undefined && <div className="mt-4 grid gap-3">{children}</div>}
      <div className="mt-5 flex flex-wrap items-center gap-3">
        {running ? (
          <Button variant="danger" busy={busy} onClick={onStop}>
            {!busy && <Square aria-hidden className="size-4" />} Parar bot
          </Button>
        ) : (
          <StartButton {...props} />
        )}
        {!running && !hasClientId && (
          <p id="por-que-nao-inicia" className="text-sm text-muted">
            Informe o Client ID e salve para poder iniciar.
          </p>
        )}
        {hint !== null && <p className="ml-auto text-xs text-muted">{hint}</p>}
      </div>
    </section>
  )
}

const BOT_STEPS = ['Parado', 'Iniciando', 'Aguardando QR', 'Conectado'] as const

type StepState = 'feita' | 'atual' | 'falhou' | 'futura'

const STEP_POSITION: Readonly<Record<StatusBot, number>> = {
  PARADO: 0,
  INICIALIZANDO: 1,
  AGUARDANDO_QR: 2,
  autenticado: 3,
  CONECTADO: 3,
  ERRO: 1,
  erro_auth: 2,
}

function botStepStates(value: string): readonly StepState[] {
  const status = parseStatusBot(value)
  if (status === null) return BOT_STEPS.map(() => 'futura')
  const position = STEP_POSITION[status]
  const failed = status === 'ERRO' || status === 'erro_auth'
  return BOT_STEPS.map((_, index) => {
    if (index < position || status === 'CONECTADO') return 'feita'
    if (index > position) return 'futura'
    return failed ? 'falhou' : 'atual'
  })
}

export interface StatusExplanation {
  readonly text: string
  readonly fix?: string
}

const FIX_TEXT: Readonly<Record<MotivoBot, string>> = {
  qrExpirado: 'Clique em “Iniciar bot” e escaneie o novo código em até um minuto.',
  desconectadoNoCelular: 'Clique em “Iniciar bot” e conecte o aparelho novamente.',
  substituido: 'Feche a outra sessão do WhatsApp e inicie o bot de novo.',
  banido: 'Abra o WhatsApp no celular e siga as orientações para recorrer do bloqueio.',
  banidoPorUmTempo: 'Veja no celular até quando. Depois, clique em “Iniciar bot”: não é preciso escanear de novo.',
  chaveDeAcesso: 'Conecte outro número ou escolha o conector da API oficial na configuração abaixo.',
  clienteDesatualizado: 'Avise quem cuida do servidor. Suas conversas e configurações ficam guardadas.',
  credenciaisInvalidas: 'Clique em “Limpar Sessão” no menu e depois em “Iniciar bot”.',
  navegadorNaoEncontrado: 'Abra “Avançado” na configuração abaixo e corrija o caminho do navegador.',
  navegadorNaoPermitido: 'Peça ao administrador do servidor para liberar este caminho.',
  navegadorInutilizavel: 'Instale o Chrome ou o Chromium no servidor e confira o caminho em “Avançado”.',
  navegadorSemProtecao: 'Peça a quem cuida do servidor para permitir o isolamento do navegador.',
  navegadorSemMemoria: 'Escolha outro conector na configuração abaixo ou aumente a memória do servidor.',
  navegadorCaiu: 'Não precisa fazer nada. Se repetir muito, falta memória ao servidor.',
  semRede: 'Não precisa fazer nada. Se durar, confira a internet do servidor.',
  servicoInstavel: 'Não precisa fazer nada: o bot volta sozinho e responde o que chegou.',
  manutencao: 'Encerre a manutenção na aba Logs para voltar a responder.',
  copiaRestaurada: 'Avise o administrador. Quando ele liberar, o bot inicia sozinho.',
  semPagamentoMeta: 'Confira a forma de pagamento no Gerenciador do WhatsApp e responda a um cliente.',
  numeroEmUso: 'Conecte outro número ou desconecte a outra linha e inicie o bot de novo.',
  conectorAusente: 'Escolha outro conector na configuração abaixo ou peça a quem cuida do servidor para instalar este.',
  maquinaFora: 'O bot volta sozinho quando ela ligar. Se não puder esperar, conecte em outra máquina.',
  erroInterno: 'Se continuar, use “Limpar Sessão” no menu e inicie novamente.',
}

const STATUS_TEXT: Readonly<Record<StatusBot, string>> = {
  PARADO: 'O bot está parado: ninguém recebe resposta automática.',
  INICIALIZANDO: 'Preparando a sessão. Isso leva alguns segundos.',
  AGUARDANDO_QR: 'Falta pouco: escaneie o código para conectar.',
  CONECTADO: 'Tudo certo: o bot está respondendo seus clientes.',
  ERRO: 'O bot encontrou um erro e parou.',
  autenticado: 'Celular reconhecido. Terminando a conexão…',
  erro_auth: 'O celular recusou a conexão.',
}

/** Shown when the first status request failed: the displayed status `PARADO` is only a default. */
const UNKNOWN_STATUS: StatusExplanation = {
  text: 'Não foi possível saber como o bot está.',
  fix: 'O painel pergunta de novo sozinho. Se durar, confira a sua internet.',
}

const TEST_MODE_TEXT: Readonly<Partial<Record<StatusBot, string>>> = {
  AGUARDANDO_QR: 'Falta pouco: conecte o simulador.',
  CONECTADO: 'O bot está respondendo no simulador. Nenhum cliente real recebe mensagens.',
}

export function explainStatus(value: string, reason: MotivoBot | undefined, testMode = false): StatusExplanation {
  if (reason !== undefined) return { text: TEXTO_DO_MOTIVO[reason], fix: FIX_TEXT[reason] }
  const status = parseStatusBot(value)
  if (status === null) return { text: 'O servidor informou um status que este painel não conhece.' }
  const failed = status === 'ERRO' || status === 'erro_auth'
  return failed
    ? { text: STATUS_TEXT[status], fix: 'Inicie o bot novamente. Se continuar, use “Limpar Sessão” no menu.' }
    : { text: (testMode ? TEST_MODE_TEXT[status] : undefined) ?? STATUS_TEXT[status] }
}
