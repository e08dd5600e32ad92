import type { IaConfig } from '@balcao/contract/entities/config'
import { SendHorizontal } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { focusIaField } from '#features/ia/form/focus-field.ts'
import { TestRoundView } from './test-round.tsx'
import { useIaTest } from './use-ia-test.ts'

const EXAMPLES = ['Vocês abrem domingo?', 'Quais produtos vocês têm?', 'Quero falar com uma pessoa'] as const

export function IaTestChat({ ia, alterado }: { ia: IaConfig; alterado: boolean }) {
  const [pergunta, setPergunta] = useState('')
  const { rodadas, ocupado, perguntar, repetir, limpar } = useIaTest(ia)
  const conversa = useRef<HTMLDivElement>(null)
  const send = (escrita: string): void => {
    if (perguntar(escrita)) setPergunta('')
  }
  useEffect(() => {
    conversa.current?.scrollTo({ top: conversa.current.scrollHeight })
  }, [rodadas])
  return (
    <Card
      heading="Testar a IA"
      className="min-w-0 lg:sticky lg:top-20 lg:col-start-2 lg:row-span-2 lg:row-start-1"
      actions={
        rodadas.length > 0 && (
          <Button variant="ghost" size="sm" disabled={ocupado} onClick={limpar}>
            Limpar
          </Button>
        )
      }
    >
      <p className="-mt-2 mb-3 text-sm text-muted">
        {alterado
          ? 'Responde de verdade, já com o que você mudou e ainda não salvou.'
          : 'Responde de verdade, com o que está na tela, mesmo sem salvar.'}
      </p>
      <div
        ref={conversa}
        role="log"
        aria-label="Conversa de teste"
        aria-busy={ocupado}
        tabIndex={0}
        className="wall relative flex h-80 flex-col lg:h-[min(28rem,calc(100dvh-21rem))] gap-2 overflow-y-auto rounded-card p-3"
      >
        {rodadas.length === 0 && <TestStart semChave={ia.apiKey.trim() === ''} onPerguntar={send} />}
        {rodadas.map((round) => (
          <TestRoundView key={round.id} rodada={round} onRepetir={ocupado ? undefined : () => repetir(round)} />
        ))}
      </div>
      <form
        className="mt-3 grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          send(pergunta)
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
          onChange={({ currentTarget }) => setPergunta(currentTarget.value)}
          onKeyDown={(event) => {
            // Arrow up repeats the last question, as in a terminal.
            if (event.key !== 'ArrowUp' || pergunta !== '') return
            event.preventDefault()
            setPergunta(rodadas.at(-1)?.pergunta ?? '')
          }}
        />
        <IconButton
          type="submit"
          variant="primary"
          label={ocupado ? 'Pensando…' : 'Perguntar'}
          tooltip={false}
          disabled={ocupado}
          className="!size-11"
          icon={<SendHorizontal size={18} aria-hidden />}
        />
      </form>
    </Card>
  )
}

function TestStart({ semChave, onPerguntar }: { semChave: boolean; onPerguntar: (pergunta: string) => void }) {
  if (semChave) {
    return (
      <div className="m-auto grid max-w-64 justify-items-center gap-3 rounded-card bg-surface p-4 text-center text-sm text-muted shadow-card">
        <p>Informe uma API Key para conversar com a IA.</p>
        <Button size="sm" onClick={() => focusIaField('apiKey')}>
          Ir para a chave
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
          onClick={() => onPerguntar(example)}
        >
          {example}
        </button>
      ))}
    </div>
  )
}
