/** The emojis of the picker in the order of their use at a counter, each with the Portuguese words that find it. */

export interface Emoji {
  readonly emoji: string
  readonly words: string
}

const parse = (list: string): readonly Emoji[] =>
  list.split('|').map((entry) => {
    const [emoji = '', ...words] = entry.trim().split(' ')
    return { emoji, words: words.join(' ') }
  })

export const EMOJI_GROUPS: readonly { readonly name: string; readonly emojis: readonly Emoji[] }[] = [
  {
    name: 'Rostos',
    emojis: parse(
      `😊 sorriso feliz | 😀 rosto alegre | 😁 sorriso aberto | 😄 risada alegre | 😂 chorando de rir | 🤣 rolando de rir |
      😅 riso sem graça | 😉 piscadinha | 😍 apaixonado amei | 🥰 carinho amor | 😘 beijo | 😋 delícia gostoso | 😎 óculos legal |
      🤩 estrelas uau | 🥳 festa aniversário | 🤗 abraço | 🤔 pensando dúvida | 🙂 sorriso leve | 😇 anjo | 😌 alívio calma |
      😐 sério neutro | 😏 sorriso de lado | 🙄 revirar os olhos | 😬 careta nervoso | 😴 dormindo sono | 😷 máscara doente |
      🤒 febre doente | 🥵 calor | 🥶 frio | 😕 confuso | 😟 preocupado | 😢 triste lágrima | 😭 chorando muito | 😔 decepcionado |
      😞 desanimado | 😤 bufando | 😡 bravo raiva | 😱 susto medo | 😳 vergonha corado | 🫣 espiando | 🤭 ops riso | 🤫 silêncio |
      🫡 continência entendido | 🤝 acordo aperto de mão`,
    ),
  },
  {
    name: 'Gestos',
    emojis: parse(
      `👍 joinha ok sim | 👎 não gostei | 👋 oi olá tchau | 🙏 obrigado por favor | 👏 palmas parabéns | 🙌 mãos viva | 💪 força |
      👌 perfeito certo | ✌️ paz | 🤞 torcendo sorte | 🤙 beleza | 👉 direita aponta | 👈 esquerda aponta | 👆 acima aponta |
      👇 abaixo aponta | ✋ mão espere | 🤲 mãos abertas | ✍️ escrevendo | 🫶 coração com as mãos | 👀 olhos vendo |
      🙋 mão levantada eu | 🤷 não sei | 🤦 mão no rosto | 👤 pessoa | 👥 pessoas equipe | 👨‍🍳 cozinheiro padeiro |
      👩‍🍳 cozinheira padeira | 🧑‍💻 atendente computador`,
    ),
  },
  {
    name: 'Corações e festa',
    emojis: parse(
      `❤️ coração vermelho amor | 🧡 coração laranja | 💛 coração amarelo | 💚 coração verde | 💙 coração azul | 💜 coração roxo |
      🤍 coração branco | 🖤 coração preto | 💔 coração partido | 💕 corações | 💯 cem certeza | 🎉 festa parabéns | 🎊 confete |
      🎂 bolo aniversário | 🎁 presente | 🎈 balão | ✨ brilho novo | ⭐ estrela nota | 🌟 estrela brilhando | 🔥 fogo promoção |
      🏆 troféu campeão | 🥇 medalha primeiro | 🎄 natal | 🎅 papai noel | 🐣 páscoa pintinho | 🐰 coelho páscoa | 🌹 rosa flor |
      💐 buquê flores | 🌻 girassol | 🌈 arco-íris | ☀️ sol | 🌙 lua noite | 🌧️ chuva`,
    ),
  },
  {
    name: 'Comida',
    emojis: parse(
      `🍞 pão | 🥖 baguete pão | 🥐 croissant | 🧀 queijo | 🍕 pizza | 🍔 hambúrguer lanche | 🌭 cachorro-quente | 🍟 batata frita |
      🥪 sanduíche | 🌮 taco | 🥗 salada | 🍝 macarrão massa | 🍚 arroz | 🥩 carne | 🍗 frango | 🐟 peixe | 🍣 sushi | 🥚 ovo |
      🍰 fatia de bolo | 🧁 cupcake | 🍫 chocolate | 🍪 biscoito | 🍩 rosquinha | 🍦 sorvete | 🍓 morango | 🍌 banana | 🍎 maçã |
      🍍 abacaxi | 🥑 abacate | ☕ café | 🍵 chá | 🥤 refrigerante suco | 🧃 suco caixa | 🍺 cerveja | 🍷 vinho | 💧 água gota`,
    ),
  },
  {
    name: 'Loja e entrega',
    emojis: parse(
      `🛍️ sacolas compras | 🛒 carrinho compras | 📦 pacote encomenda pedido | 🚚 caminhão entrega | 🛵 moto entrega | 🚗 carro |
      🏍️ motocicleta | 🚲 bicicleta | 🏪 loja | 🏠 casa | 📍 endereço lugar | 🗺️ mapa | 💳 cartão pagamento | 💵 dinheiro nota |
      💰 saco dinheiro | 🪙 moeda | 🧾 recibo nota fiscal | 🏷️ etiqueta preço | 🔖 marcador | 📉 caiu preço | 📈 subiu |
      📅 calendário data | 🗓️ agenda | ⏰ despertador hora | 🕗 oito horas horário | ⌛ ampulheta espera | 📞 telefone ligar |
      📱 celular | 💻 computador | 📧 e-mail | 💬 conversa mensagem | 🗣️ falar | 📷 foto câmera | 🎥 vídeo | 🎤 microfone áudio |
      📋 lista prancheta | 📝 anotar | 📎 clipe anexo | 📄 documento | 🔗 link | 🔍 procurar lupa | 🔑 chave | 🔔 sino aviso |
      🔧 conserto chave | 🧼 sabão limpeza | 👕 camiseta roupa | 👗 vestido roupa | 👟 tênis sapato | 💊 remédio | 🐶 cachorro |
      🐱 gato | 🤖 robô bot`,
    ),
  },
  {
    name: 'Sinais',
    emojis: parse(
      `✅ certo feito confirmado | ✔️ visto | ❌ errado não cancelado | ⚠️ atenção cuidado | ❗ exclamação importante | ❓ dúvida pergunta |
      ➡️ seta direita | ⬅️ seta esquerda | ⬆️ seta acima | ⬇️ seta abaixo | 🔄 trocar atualizar | 🆕 novo | 🆗 ok | 🔝 topo |
      🔴 vermelho círculo | 🟡 amarelo círculo | 🟢 verde círculo | 🔵 azul círculo | 1️⃣ um | 2️⃣ dois | 3️⃣ três | 4️⃣ quatro |
      5️⃣ cinco | ➕ mais | ➖ menos | 🚫 proibido | 🔒 fechado cadeado | 🔓 aberto cadeado | 🇧🇷 brasil bandeira`,
    ),
  },
]
