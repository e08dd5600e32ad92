import { readGuardText } from '../claims/text.ts'

/** Sentences that speak to the model. Nothing behind them in a text of a page supports an answer. */
const ORDERS = new RegExp(
  [
    '(?:ignor|desconsider|esquec|desobedec|disregard|forget|override)[a-z]* (?:\\S+ ){0,5}(?:instruc|regra|orienta|prompt|instruction|rule|anterior|previous)',
    '(?:nova|new|novas|outras) (?:instruc|instruction|regra|rule|diretriz)[a-z]*',
    '(?:^|[^a-z])(?:system|assistant|developer|user|sistema|assistente) ?(?:prompt|message|override|>|:)',
    '(?:diga|informe|responda|fale|avise|conte|ofereca|prometa|confirme|envie|mande|transfira|say|tell|answer|reply) (?:\\S+ ){0,4}(?:cliente|usuario|customer|user|sempre que|todos que)',
    '(?:responda|responder|answer|reply) (?:\\S+ ){0,2}(?:sempre|apenas|somente|exatamente|only|always|exactly)',
    '(?:voce|tu|you) (?:agora |now )?(?:e|sera|deve|devera|are|must|should|will) (?:\\S+ ){0,4}(?:assist|ia|modelo|bot|chatbot|dizer|informar|responder|oferecer|say|answer|dan|admin|desenvolvedor|developer)',
    '(?:atencao|nota|aviso|mensagem|instruc[a-z]*|ordem|comando|note|attention)[ ,:]+(?:\\S+ ){0,3}(?:assistente|ia|modelo|llm|chatbot|bot|ai|model|assistant)(?![a-z])',
    '(?:assistente|chatbot|llm|prezada ia|cara ia|querida ia)[ ,:]+(?:\\S+ ){0,3}(?:diga|informe|responda|ofereca|de|conceda|chame|use|transfira|confirme|ignore|aceite|considere|aplique)',
    'modo (?:desenvolvedor|administrador|admin|debug|dan|deus)|developer mode|jailbreak|prompt',
    'tool_call|tool_code|function_call|functioncall|default_api|transferir_para_setor|procurar_produtos',
    '</?[a-z_]{3,40}>|\\[/?inst\\]|<\\|[a-z_]+\\|>|\\u0060{3}',
    '(?:decodifique|decode|base64)',
    '(?<![a-z0-9+/])[a-z0-9+/]{60,}={0,2}',
    'display ?: ?none|font-size ?: ?0',
    '(?:o |os |todo |todos os |qualquer )?(?:preco|valor|desconto)s? (?:\\S+ ){0,3}(?:passa|passam|muda|mudou|mudaram) (?:a ser|para)',
  ].join('|'),
)
const LENGTH_MAX = 20_000

/** True if a text gives orders to the model. */
export function containsOrder(text: string): boolean {
  return ORDERS.test(readGuardText(text.slice(0, LENGTH_MAX)).folded)
}
