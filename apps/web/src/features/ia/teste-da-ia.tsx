import type { IaConfig } from '@balcao/contract/entities/config'
import { testarGeminiRoute } from '@balcao/contract/routes/gemini'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { TextField } from '#shared/ui/text-field.tsx'

interface Fala {
  readonly id: number
  readonly de: 'cliente' | 'ia'
  readonly texto: string
}

const BALAO = 'max-w-[86%] rounded-2xl px-3.5 py-2 break-words whitespace-pre-wrap shadow-card'

/** A small chat that asks the provider for real, with the settings on screen, saved or not. */
export function TesteDaIa({ ia }: { ia: IaConfig }) {
  const [falas, setFalas] = useState<readonly Fala[]>([])
  const [pergunta, setPergunta] = useState('')
  const [ocupado, setOcupado] = useState(false)
  const falar = (de: Fala['de'], texto: string): void =>
    setFalas((atuais) => [...atuais, { id: atuais.length, de, texto }])

  async function testar(): Promise<void> {
    const texto = pergunta.trim()
    if (ocupado) return
    if (ia.apiKey.trim() === '') return void avisar.erro('Configure uma API Key válida primeiro')
    if (texto === '') return void avisar.erro('Digite uma pergunta para testar')
    setPergunta('')
    falar('cliente', texto)
    setOcupado(true)
    try {
      const { resposta } = await call(testarGeminiRoute, {
        body: { pergunta: texto, ia: { ...ia, apiKey: ia.apiKey.trim() } },
      })
      falar('ia', resposta)
      avisar.sucesso('Teste da IA concluído!')
    } catch (erro) {
      falar('ia', 'Erro ao gerar resposta de teste.')
      avisar.erro(`Erro ao testar IA: ${mensagemDe(erro)}`)
    }
    setOcupado(false)
  }

  return (
    <Card titulo="Testar a IA" className="min-w-0 lg:sticky lg:top-20">
      <p className="mb-3 text-sm text-muted">Responde de verdade, com o que está na tela, mesmo sem salvar.</p>
      <div
        role="log"
        aria-label="Conversa de teste"
        tabIndex={0}
        className="wall relative flex h-72 flex-col gap-2 overflow-y-auto rounded-card p-3"
      >
        {falas.length === 0 && (
          <p className="m-auto max-w-56 rounded-card bg-surface p-3 text-center text-sm text-muted">
            {ia.apiKey.trim() === ''
              ? 'Informe uma API Key para conversar com a IA.'
              : 'Pergunte algo como um cliente perguntaria.'}
          </p>
        )}
        {falas.map(({ id, de, texto }) => (
          <p
            key={id}
            className={`${BALAO} ${de === 'cliente' ? 'self-end rounded-br-md bg-bubble' : 'self-start rounded-bl-md bg-surface'}`}
          >
            {texto}
          </p>
        ))}
        {ocupado && <p className="self-start rounded-2xl bg-surface px-3.5 py-2 text-sm text-muted">Pensando…</p>}
      </div>
      <form
        className="mt-3 grid gap-2"
        onSubmit={(evento) => {
          evento.preventDefault()
          void testar()
        }}
      >
        <TextField
          rotulo="Pergunta de teste"
          value={pergunta}
          maxLength={4096}
          autoComplete="off"
          className="min-h-11"
          placeholder="Vocês abrem domingo?"
          onChange={({ currentTarget }) => setPergunta(currentTarget.value)}
        />
        <Button type="submit" variante="primary" className="min-h-11" ocupado={ocupado}>
          {ocupado ? 'Pensando…' : 'Perguntar'}
        </Button>
      </form>
    </Card>
  )
}
