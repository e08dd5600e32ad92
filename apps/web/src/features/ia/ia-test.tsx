import type { IaConfig } from '@balcao/contract/entities/config'
import { KeyRound, RotateCw, SendHorizontal } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatAnswerTime } from '#shared/ia/answer-time.ts'
import { formatMarks } from '#shared/preview/format-marks.tsx'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { canAsk, keyFieldOf, withTrimmedKeys } from './form/provider-fields.ts'
import { focusIaField, USAGE_KEY } from './form/use-ia-form.ts'
import { testarGeminiRoute } from '@balcao/contract/routes/gemini'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'

const EXAMPLES = ['Vocês abrem domingo?', 'Quais produtos vocês têm?', 'Quero falar com uma pessoa'] as const

export function IaTestChat({ ia, changed }: { ia: IaConfig; changed: boolean }) {
  const [pergunta, setPergunta] = useState('')
  const { rounds, busy, ask, repeat, clear } = useIaTest(ia)
  const log = useRef<HTMLDivElement>(null)
  const send = (written: string): void => {
    if (ask(written)) setPergunta('')
  }
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight })
  }, [rounds])
  return (
    <Card
      heading="Testar a IA"
      className="min-w-0 lg:sticky lg:top-20 lg:col-start-2"
      actions={
        rounds.length > 0 && (
          <Button variant="ghost" size="sm" disabled={busy} onClick={clear}>
            Limpar
          </Button>
        )
      }
    >
      <p className="-mt-2 mb-3 text-sm text-muted">
        {changed
          ? 'Responde de verdade, já com o que você mudou e ainda não salvou.'
          : 'Responde de verdade, com o que está na tela, mesmo sem salvar.'}
      </p>
      <div
        ref={log}
        role="log"
        aria-label="Conversa de teste"
        aria-busy={busy}
        tabIndex={0}
        className="wall relative flex h-80 flex-col lg:h-[min(28rem,calc(100dvh-21rem))] gap-2 overflow-y-auto rounded-card p-3"
      >
        {rounds.length === 0 && <TestStart needed={neededOf(ia)} onAsk={send} />}
        {rounds.map((round) => (
          <TestRoundView
            key={round.id}
            round={round}
            keyField={keyFieldOf(ia)}
            onRepeat={busy ? undefined : () => repeat(round)}
          />
        ))}
      </div>
      <QuestionForm
        pergunta={pergunta}
        busy={busy}
        latest={rounds.at(-1)?.pergunta ?? ''}
        onChange={setPergunta}
        onSend={() => send(pergunta)}
      />
    </Card>
  )
}

interface QuestionFormProps {
  readonly pergunta: string
  readonly busy: boolean
  readonly latest: string
  readonly onChange: (pergunta: string) => void
  readonly onSend: () => void
}

function QuestionForm({ pergunta, busy, latest, onChange, onSend }: QuestionFormProps) {
  return (
    <form
      className="mt-3 grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onSend()
      }}
    >
      <TextField
        label="Pergunta de teste"
        name="pergunta"
        value={pergunta}
        maxLength={4096}
        autoComplete="off"
        enterKeyHint="send"
        className="min-h-11"
        placeholder="Pergunte como um cliente"
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' || pergunta !== '') return
          event.preventDefault()
          onChange(latest)
        }}
      />
      <IconButton
        type="submit"
        variant="primary"
        label={busy ? 'Pensando…' : 'Perguntar'}
        tooltip={false}
        disabled={busy}
        className="!size-11"
        icon={<SendHorizontal size={18} aria-hidden />}
      />
    </form>
  )
}

interface Needed {
  readonly text: string
  readonly button: string
  readonly field: string
}

/** Null when the provider can be asked. */
function neededOf(ia: IaConfig): Needed | null {
  if (canAsk(ia)) return null
  return ia.provedor === 'compativel'
    ? {
        text: 'Informe o endereço do provedor para conversar com a IA.',
        button: 'Ir para o endereço',
        field: 'urlBase',
      }
    : { text: 'Informe uma API Key para conversar com a IA.', button: 'Ir para a chave', field: keyFieldOf(ia) }
}

function TestStart({ needed, onAsk }: { needed: Needed | null; onAsk: (pergunta: string) => void }) {
  if (needed !== null) {
    return (
      <div className="m-auto grid max-w-64 justify-items-center gap-3 rounded-card bg-surface p-4 text-center text-sm text-muted shadow-card">
        <p>{needed.text}</p>
        <Button size="sm" onClick={() => focusIaField(needed.field)}>
          {needed.button}
        </Button>
      </div>
    )
  }
  return (
    <div className="m-auto grid max-w-64 gap-2 text-center text-sm">
      <p className="rounded-card bg-surface p-3 text-muted shadow-card">Pergunte algo como um cliente perguntaria:</p>
      {EXAMPLES.map((example) => (
        <button
          key={example}
          type="button"
          className="min-h-10 rounded-full border border-line bg-surface px-4 font-semibold text-brand-ink hover:bg-brand-soft"
          onClick={() => onAsk(example)}
        >
          {example}
        </button>
      ))}
    </div>
  )
}

const BUBBLE_CLASS = 'max-w-[88%] rounded-2xl px-3.5 py-2 [overflow-wrap:anywhere] whitespace-pre-wrap shadow-card'

interface TestRoundViewProps {
  readonly round: TestRound
  readonly keyField: string
  readonly onRepeat: (() => void) | undefined
}

function TestRoundView({ round, keyField, onRepeat }: TestRoundViewProps) {
  const { pergunta, outcome } = round
  return (
    <>
      <div className={`${BUBBLE_CLASS} self-end rounded-br-md bg-bubble`}>
        <span className="sr-only">Você: </span>
        <p>{pergunta}</p>
      </div>
      {outcome.tipo === 'pensando' && (
        <p className="rise flex items-center gap-1.5 self-start rounded-2xl rounded-bl-md bg-surface px-3.5 py-2 text-sm text-muted shadow-card">
          <span aria-hidden className="pulse-dot size-2 rounded-full bg-brand" /> Pensando…
        </p>
      )}
      {outcome.tipo === 'respondida' && (
        <div className={`rise ${BUBBLE_CLASS} self-start rounded-bl-md bg-surface`}>
          <span className="sr-only">IA: </span>
          <p>{formatMarks(outcome.resposta)}</p>
          <p className="mt-1 text-right text-xs text-muted tabular-nums">
            <span className="sr-only">Levou </span>
            {formatAnswerTime(outcome.duracaoMs)}
          </p>
        </div>
      )}
      {outcome.tipo === 'falhou' && (
        <div className={`rise ${BUBBLE_CLASS} self-start rounded-bl-md bg-danger-soft text-sm text-danger-ink`}>
          <p className="font-semibold">Erro ao gerar resposta de teste.</p>
          <p className="mt-0.5">{outcome.mensagem}</p>
          <div className="mt-1.5 -ml-1 flex flex-wrap gap-1 empty:hidden">
            {onRepeat !== undefined && (
              <Button variant="ghost" size="sm" className="text-danger-ink" onClick={onRepeat}>
                <RotateCw size={14} aria-hidden /> Tentar de novo
              </Button>
            )}
            {outcome.chave && (
              <Button variant="ghost" size="sm" className="text-danger-ink" onClick={() => focusIaField(keyField)}>
                <KeyRound size={14} aria-hidden /> Conferir a chave
              </Button>
            )}
          </div>
        </div>
      )}
    </>
  )
}

type TestOutcome =
  | { readonly tipo: 'pensando' }
  | { readonly tipo: 'respondida'; readonly resposta: string; readonly duracaoMs: number }
  | { readonly tipo: 'falhou'; readonly mensagem: string; readonly chave: boolean }

interface TestRound {
  readonly id: number
  readonly pergunta: string
  readonly outcome: TestOutcome
}

/** The server waits 15 s for the provider, so its own error text arrives before this timeout. */
const TEST_TIMEOUT_MS = 25_000

function failureOf(error: unknown): TestOutcome {
  const code = error instanceof ApiError ? error.codigo : ''
  const mensagem = errorMessage(error)
  return {
    tipo: 'falhou',
    mensagem,
    chave: code === 'iaSemChave' || (code === 'iaFalhou' && /chave|api key/i.test(mensagem)),
  }
}

function useIaTest(ia: IaConfig) {
  const [rounds, setRounds] = useState<readonly TestRound[]>([])
  const client = useQueryClient()
  const busy = rounds.some(({ outcome }) => outcome.tipo === 'pensando')

  async function run(id: number, pergunta: string): Promise<void> {
    const finish = (outcome: TestOutcome): void =>
      setRounds((current) => current.map((round) => (round.id === id ? { ...round, outcome } : round)))
    try {
      const { resposta, duracaoMs } = await call(testarGeminiRoute, {
        body: { pergunta, ia: withTrimmedKeys(ia) },
        timeoutMs: TEST_TIMEOUT_MS,
      })
      finish({ tipo: 'respondida', resposta, duracaoMs })
      notify.sucesso('Teste da IA concluído!')
    } catch (error) {
      finish(failureOf(error))
      notify.erro(`Erro ao testar IA: ${errorMessage(error)}`)
    }
    void client.invalidateQueries({ queryKey: USAGE_KEY })
  }

  function ask(written: string): boolean {
    const pergunta = written.trim()
    if (busy) return false
    const needed = neededOf(ia)
    if (needed !== null) {
      focusIaField(needed.field)
      notify.erro(ia.provedor === 'compativel' ? needed.text : 'Configure uma API Key válida primeiro')
      return false
    }
    if (pergunta === '') {
      notify.erro('Digite uma pergunta para testar')
      return false
    }
    const id = rounds.length
    setRounds([...rounds, { id, pergunta, outcome: { tipo: 'pensando' } }])
    void run(id, pergunta)
    return true
  }

  function repeat({ id, pergunta }: TestRound): void {
    if (busy) return
    setRounds(rounds.map((round) => (round.id === id ? { ...round, outcome: { tipo: 'pensando' } } : round)))
    void run(id, pergunta)
  }

  return { rounds, busy, ask, repeat, clear: () => setRounds([]) }
}
