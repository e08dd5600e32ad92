import type { RespostaIa } from '@balcao/contract/entities/resposta-ia'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDateTime, formatNumber } from '#shared/format.ts'
import { CustomerText } from '#shared/preview/customer-text.tsx'
import { formatAnswerTime } from './answer-time.ts'
import { Claims } from './claims.tsx'

function toolRequestText(request: string): string {
  const parsed = parseJson(request)
  return typeof parsed === 'object' && parsed !== null ? Object.values(parsed).join(', ') : request
}

/** `{"produtos":[{"nome":"Bolo"}]}` → `1 produto: Bolo`. Anything else is returned unchanged. */
function toolResultText(result: string): string {
  const parsed = parseJson(result)
  if (typeof parsed !== 'object' || parsed === null || !('produtos' in parsed) || !Array.isArray(parsed.produtos))
    return result
  const names = parsed.produtos.map((produto: unknown) =>
    typeof produto === 'object' && produto !== null && 'nome' in produto ? String(produto.nome) : '?',
  )
  if (names.length === 0) return 'Nenhum produto encontrado'
  return `${names.length === 1 ? '1 produto' : `${names.length} produtos`}: ${names.join(', ')}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const TOOL_LABELS: Readonly<Record<string, string>> = {
  procurar_produtos: 'Procurou no catálogo',
  transferir_para_setor: 'Pediu um atendente do setor',
}

const BUBBLE_CLASS = 'max-w-[88%] rounded-2xl px-3.5 py-2 [overflow-wrap:anywhere] whitespace-pre-wrap'

function Fold({ titulo, children }: { titulo: string; children: ReactNode }) {
  return (
    <details className="group rounded-card border border-line">
      <summary className="flex min-h-11 items-center justify-between gap-3 rounded-card px-4 font-semibold">
        {titulo}
        <ChevronDown
          size={18}
          aria-hidden
          className="flex-none text-muted transition-transform group-open:rotate-180"
        />
      </summary>
      <div className="border-t border-line p-4">{children}</div>
    </details>
  )
}

function SpokenText({ de, children }: { de: 'cliente' | 'bot'; children: string }) {
  return (
    <div
      className={`${BUBBLE_CLASS} ${de === 'cliente' ? 'justify-self-start rounded-bl-md bg-surface shadow-card' : 'justify-self-end rounded-br-md bg-bubble'}`}
    >
      <span className="sr-only">{de === 'cliente' ? 'Cliente: ' : 'IA: '}</span>
      <CustomerText text={children} />
    </div>
  )
}

export function AiAnswerDetails({ resposta: r }: { resposta: RespostaIa }) {
  const numeros = [
    ['Modelo', r.modelo],
    ['Temperatura', r.temperatura.toLocaleString('pt-BR')],
    ['Tokens', `${formatNumber(r.tokensEntrada)} de entrada · ${formatNumber(r.tokensSaida)} de saída`],
    ['Levou', formatAnswerTime(r.duracaoMs)],
    ['Quando', formatDateTime(r.criadaEm)],
  ] as const
  return (
    <div className="grid gap-4">
      <div className="wall grid gap-2 rounded-card p-3">
        <SpokenText de="cliente">{r.pergunta}</SpokenText>
        <SpokenText de="bot">{r.resposta}</SpokenText>
      </div>
      <Claims afirmacoes={r.afirmacoes} retida={r.retida} />
      <ToolCalls ferramentas={r.ferramentas} />
      {r.historico.length === 0 ? (
        <p className="text-sm text-muted">Respondeu sem lembrar de falas anteriores.</p>
      ) : (
        <Fold
          titulo={
            r.historico.length === 1 ? 'Lembrava de 1 fala' : `Lembrava de ${formatNumber(r.historico.length)} falas`
          }
        >
          <ol className="wall grid gap-2 rounded-card p-3 text-sm">
            {r.historico.map(({ de, texto }, index) => (
              <li key={`${index}${de}`} className="grid">
                <SpokenText de={de}>{texto}</SpokenText>
              </li>
            ))}
          </ol>
        </Fold>
      )}
      <Fold titulo="Instruções que recebeu">
        <p className="text-sm [overflow-wrap:anywhere] whitespace-pre-wrap">{r.instrucoes}</p>
      </Fold>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
        {numeros.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="font-semibold [overflow-wrap:anywhere] tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-sm text-muted">
        CPF, cartões e e-mails saem daqui mascarados. Esta explicação fica guardada por 30 dias.
      </p>
    </div>
  )
}

function ToolCalls({ ferramentas }: Pick<RespostaIa, 'ferramentas'>) {
  if (ferramentas.length === 0) return null
  return (
    <section aria-label="O que consultou" className="grid gap-2">
      <h3 className="font-semibold">O que consultou</h3>
      <ul className="grid gap-2">
        {ferramentas.map(({ nome, pedido, resultado }, index) => (
          <li key={`${index}${nome}`} className="min-w-0 rounded-card bg-sunken p-3 text-sm">
            <p className="font-semibold [overflow-wrap:anywhere]">
              {TOOL_LABELS[nome] ?? nome}: {toolRequestText(pedido)}
            </p>
            {resultado !== '' && (
              <p className="mt-1 line-clamp-6 text-muted [overflow-wrap:anywhere]">{toolResultText(resultado)}</p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
