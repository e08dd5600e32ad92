import { findClaims } from './claims/find-claims.ts'
import { readGuardText } from './claims/text.ts'
import type { ClaimKind, GuardVerdict } from './types.ts'

const KIND_NAMES: Readonly<Record<ClaimKind, string>> = {
  dinheiro: 'valor em dinheiro',
  percentual: 'porcentagem',
  hora: 'horário',
  data: 'data',
  prazo: 'prazo',
  numero: 'telefone ou número',
  link: 'link',
  email: 'e-mail',
  palavra: 'promessa de grátis, garantia ou desconto',
}

/** Names the kinds of the statements without support, in Portuguese: 'valor em dinheiro, link'. Contains no text of the answer. */
export function unsupportedKinds({ afirmacoes }: GuardVerdict): string {
  const kinds = afirmacoes.flatMap(({ texto, apoio }) =>
    apoio === null ? [findClaims(readGuardText(texto))[0]?.kind] : [],
  )
  const names = kinds.map((kind) => (kind === undefined ? 'informação' : KIND_NAMES[kind]))
  return [...new Set(names)].join(', ')
}

/** The instruction with which the model answers again. Texts of customers never become part of it. */
export function correctionFor(verdict: GuardVerdict): string {
  return [
    `Sua resposta anterior não foi enviada, porque tinha informação que não está nos dados da empresa: ${unsupportedKinds(verdict)}.`,
    'Responda de novo só com o que está nos dados, na conversa com a empresa ou no resultado das ferramentas. Se não souber, diga que não sabe e ofereça chamar um atendente.',
  ].join(' ')
}
