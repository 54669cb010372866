/** `<ParterreMap event="…" public-key="pk_…" @hold="…" />` for Vue 3, on a server too. */
import { defineComponent, h, onBeforeUnmount, onMounted, ref, watch } from 'vue';
import './index.ts';
import { attributesOf, connect, eventNames, listen, propNames } from './props.ts';
import type { ParterreMapElement, ParterreMapProps } from './types/index.d.ts';

export const ParterreMap = defineComponent({
  name: 'ParterreMap',
  props: { ...Object.fromEntries(propNames.map((name) => [name, null])), bearer: Boolean },
  emits: [...eventNames],
  setup(given, { emit, slots, expose }) {
    const props = given as ParterreMapProps;
    const element = ref<ParterreMapElement | null>(null);
    let stop = () => {};
    expose({ element });
    onMounted(() => {
      connect(element.value!, props.token ? () => props : null);
      stop = listen(element.value!, (name, detail) => emit(name, detail));
    });
    onBeforeUnmount(() => stop());
    watch(
      () => Boolean(props.token),
      (hasToken) => {
        if (element.value) connect(element.value, hasToken ? () => props : null);
      },
      { flush: 'post' },
    );
    watch(
      () => props.messages ?? null,
      (messages) => {
        if (element.value) element.value.messages = messages;
      },
      { immediate: true, flush: 'post' },
    );
    return () => h('parterre-map', { ref: element, ...attributesOf(props) }, slots.default?.());
  },
});
